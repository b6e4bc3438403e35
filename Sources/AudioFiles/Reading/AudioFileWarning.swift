/// Something about a file that is not as it should be, and that it is read in spite of.
public struct AudioFileWarning: Hashable, Sendable, CustomStringConvertible {
  /// The numbered reasons. A pipeline's warnings use the same numbers.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Samples were NaN or infinite, and became 0.
    public static let notFinite = Code(rawValue: 704)
    /// The file has another length than its header says, or ends within a sample: the samples that exist are read.
    public static let length = Code(rawValue: 705)
    /// The file's samples are finer than 32-bit floats, and are rounded.
    public static let rounded = Code(rawValue: 706)
    /// The file's channels are for loudspeakers that are not known.
    public static let speakers = Code(rawValue: 708)
  }

  /// The number.
  public let code: Code
  /// What, and what was done about it.
  public let message: String
  /// Samples per channel that lie before it, at the file's own rate.
  public let position: Int

  init(_ code: Code, _ message: String, at position: Int) {
    self.code = code
    self.message = message
    self.position = position
  }

  /// The sentence about `count` samples that were not finite.
  package static func notFinite(_ count: Int) -> String {
    "\(count) samples were NaN, infinite or beyond Float32 and became 0"
  }

  public var description: String { message }
}
