public import Devices

/// A sound device that has come or gone.
public struct DeviceStateChange: Hashable, Sendable {
  /// State of a device.
  public enum State: Int, Hashable, Sendable {
    /// The device can be used.
    case pluggedIn = 0
    /// The device is gone.
    case unplugged = 8
  }

  /// Name that opens the device.
  public let id: String
  /// Direction of the sound.
  public let direction: AudioDirection
  /// State from now on.
  public let state: State

  /// Creates a change.
  public init(id: String, direction: AudioDirection, state: State) {
    self.id = id
    self.direction = direction
    self.state = state
  }
}
