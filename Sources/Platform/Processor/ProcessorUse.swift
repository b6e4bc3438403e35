/// Use of all processors together, 0...1.
public struct ProcessorUse: Hashable, Sendable {
  /// Share used by this process.
  public let process: Double
  /// Share used by all processes; nil if the system does not report it.
  public let system: Double?
}
