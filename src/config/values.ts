/** Kinds of values that several groups of keys have. */
import * as z from 'zod';

export const text = () => z.string().min(1);
export const whole = (least: number, most: number) => z.number().int().min(least).max(most);
