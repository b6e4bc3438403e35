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

  /// Reason why the system's default loudspeaker cannot be opened; nil if it can.
  public static func defaultFault() -> DeviceError? {
    let fault = BoundedCall.run(milliseconds: 5_000) { () -> DeviceError? in
      let (handle, error, cause) = ALSA.open("default", .playout)
      if let handle {
        ALSA.close(handle)
        return nil
      }
      return DeviceError(opening: "default", .playout, error: error, DeviceFiles.access(), cause: cause)
    }
    return fault ?? .silent("default")
  }

  /// Version of the linked ALSA library.
  package static var libraryVersion: String { ALSA.version }
}
