/// An action of a script and its time.
public struct ScriptEvent: Hashable, Sendable {
  /// Time, in seconds of the call. The action happens at the first tick of its user that is not before this time.
  public var seconds: Double
  /// Action of the event.
  public var action: ScriptAction

  /// Creates an event from its parts.
  public init(seconds: Double, action: ScriptAction) {
    self.seconds = seconds
    self.action = action
  }

  var nanoseconds: Int { Int((seconds * 1e9).rounded()) }
}
