/// The sound devices of this machine.
public enum AudioDevices {
  /// Returns the devices that can be opened now, capture and playout, the default ones first.
  ///
  /// - Parameter includingConverters: Whether plugins that convert or share another device's sound are listed too.
  public static func all(includingConverters: Bool = false) -> [AudioDevice] {
    // A sound server that hangs has no devices.
    let devices = BoundedCall.run(milliseconds: 5_000) { ALSAHost.shared.devices() } ?? []
    return devices.filter { includingConverters || !$0.isConverter }
  }

  /// Version of the linked ALSA library.
  package static var libraryVersion: String { ALSA.version }
}
