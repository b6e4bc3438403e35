/// Something about a file that is not as it should be, and that it is read in spite of.
public struct AudioFileWarning: Hashable, Sendable, CustomStringConvertible {
  /// The number, which pipelines' warnings have as well.
  public let code: PipelineWarning.Code
  /// What, and what was done about it.
  public let message: String
  /// Samples per channel that lie before it, at the file's own rate.
  public let position: Int

  init(_ code: PipelineWarning.Code, _ message: String, at position: Int) {
    self.code = code
    self.message = message
    self.position = position
  }

  /// What is said of so many samples that were no numbers.
  static func notFinite(_ count: Int) -> String { "\(count) samples were NaN, infinite or beyond Float32 and became 0" }

  public var description: String { message }
}
