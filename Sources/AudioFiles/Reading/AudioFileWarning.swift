/// A fault of a file that does not keep it from being read.
public struct AudioFileWarning: Hashable, Sendable, CustomStringConvertible {
  /// Numbered reason of a warning. A pipeline's warnings use the same numbers.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Samples were NaN or infinite, and became 0.
    public static let notFinite = Code(rawValue: 704)
    /// The file's length differs from its header, or the file ends within a sample; the samples that exist are read.
    public static let length = Code(rawValue: 705)
    /// The file's samples are finer than 32-bit floats, and are rounded.
    public static let rounded = Code(rawValue: 706)
    /// The file's channels are for unknown loudspeakers.
    public static let speakers = Code(rawValue: 708)
  }

  /// Number of the reason.
  public let code: Code
  /// Sentence for the user: the fault and the reader's action.
  public let message: String
  /// Samples per channel before the fault, at the file's own rate.
  public let position: Int

  init(_ code: Code, _ message: String, at position: Int) {
    self.code = code
    self.message = message
    self.position = position
  }

  /// Returns the sentence about `count` samples that were not finite.
  package static func notFinite(_ count: Int) -> String {
    "\(count) samples were NaN, infinite or beyond Float32 and became 0"
  }

  public var description: String { message }
}
