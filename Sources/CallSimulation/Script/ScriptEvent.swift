/// Something that a script does, and when.
public struct ScriptEvent: Hashable, Sendable {
  /// When, in seconds of the call: at the first tick that is not before, of the user whom it concerns.
  public var seconds: Double
  /// What.
  public var action: ScriptAction

  /// An event from its parts.
  public init(seconds: Double, action: ScriptAction) {
    self.seconds = seconds
    self.action = action
  }

  var nanoseconds: Int { Int((seconds * 1e9).rounded()) }
}
