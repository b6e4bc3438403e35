/// Form of the elements of a header extension.
///
/// Source: RFC 8285, sections 4.2 and 4.3.
public enum HeaderExtensionForm: UInt8, Sendable, BitwiseCopyable {
  /// Identifiers 1...14 with 1...16 bytes each, behind one byte.
  case oneByte
  /// Identifiers 1...255 with 0...255 bytes each, behind two bytes.
  case twoByte

  /// Creates the form that the 16 bits before an extension name; nil if it is not one of RFC 8285.
  @_noLocks
  init?(profile: UInt16) {
    if profile == 0xBEDE {
      self = .oneByte
    } else if profile & 0xFFF0 == 0x1000 {
      // The last four bits are the application's.
      self = .twoByte
    } else {
      return nil
    }
  }

  var profile: UInt16 {
    @_noLocks get {
      if case .oneByte = self { return 0xBEDE }
      return 0x1000
    }
  }
}
