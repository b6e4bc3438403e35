/// Something that happened to the device of a source or a sink.
public enum DeviceEvent: Hashable, Sendable {
  /// Sound moves through a device. It is another device than the chosen one while that is gone.
  case opened(AudioDevice)
  /// No device can be opened, for this reason: a source is silent, and a sink drops its sound.
  case failed(DeviceError)
  /// The device in use is gone.
  case unplugged(id: String)
  /// The device in use was closed while its sound is not needed.
  case closed(id: String)
  /// The samples of the device in use do not move: its sound server hangs, or the system is suspended.
  case interrupted(id: String)
  /// The samples of the device move again.
  case resumed(id: String)
  /// The chosen device is there again.
  case plugged(id: String)
}
