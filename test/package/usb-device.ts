/**
 * A USB device as umockdev describes it (umockdev-record's format), with one interface.
 *
 * Source: USB 2.0 specification, 9.6 (descriptors).
 */
const BUS = '/devices/pci0000:00/0000:00:14.0/usb1';

/** @param kind class, subclass and protocol of the interface, in hex: `ff4201` for adb */
export function usbDevice(kind: string): { description: string; syspath: string } {
  const device = '12 01 0002 00 00 00 40 d118 e74e 0004 01 02 03 01';
  const configuration = '09 02 2000 01 01 00 80 fa';
  const interfaceOf = `09 04 00 00 02 ${kind} 00`;
  const endpoints = '07 05 81 02 0002 00 07 05 01 02 0002 00';
  const descriptors = `${device}${configuration}${interfaceOf}${endpoints}`.replaceAll(' ', '');
  const description = `P: ${BUS}/1-4
N: bus/usb/001/009
E: SUBSYSTEM=usb
E: DEVTYPE=usb_device
E: DEVNAME=/dev/bus/usb/001/009
E: BUSNUM=001
E: DEVNUM=009
E: MAJOR=189
E: MINOR=8
A: busnum=1
A: devnum=9
A: idVendor=18d1
A: idProduct=4ee7
H: descriptors=${descriptors}
`;
  return { description, syspath: `/sys${BUS}/1-4` };
}
