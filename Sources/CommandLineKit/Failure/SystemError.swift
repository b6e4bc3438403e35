import Glibc

/// Returns the C library's text for an error number.
package func systemErrorText(_ number: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  // The XSI variant fills the buffer, the GNU variant may return a constant; strerror_r is imported as the XSI variant.
  guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
  return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
