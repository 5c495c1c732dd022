/**
 * `Intl.ListFormat` and `Intl.Segmenter`, made when they are first used: got's checks of types, for the words of errors, and
 * string-width, for what is not ASCII, make theirs as they are loaded. That takes V8 10 ms each, for it reads ICU's data of
 * all languages: 7 MB, which stay.
 */
class WhenUsed {
  constructor(...options) {
    this.options = options;
  }

  get made() {
    const { [this.constructor.of]: Native } = Intl; // by its full name it would be replaced here too
    this.native ??= new Native(...this.options);
    return this.native;
  }
}

export class ListFormatWhenUsed extends WhenUsed {
  static of = 'ListFormat';

  format(list) {
    return this.made.format(list);
  }
}

export class SegmenterWhenUsed extends WhenUsed {
  static of = 'Segmenter';

  segment(text) {
    return this.made.segment(text);
  }
}
