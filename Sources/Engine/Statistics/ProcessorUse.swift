/// What was used of all processors together, 0...1.
public struct ProcessorUse: Hashable, Sendable {
  /// By this process.
  public let process: Double
  /// By everybody; nil where the system does not tell.
  public let system: Double?
}
