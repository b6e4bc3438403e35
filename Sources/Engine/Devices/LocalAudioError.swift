import Devices

/// Reason for a `LocalAudioState`.
public enum LocalAudioError: Int, Hashable, Sendable {
  /// Everything works.
  case ok = 0
  /// A fault without a number of its own.
  case failure = 1
  /// The user may not use the device.
  case noPermission = 2
  /// Another program uses the device.
  case deviceBusy = 3
  /// The device does not capture.
  case captureFailed = 4
  /// The sound cannot be encoded.
  case encodingFailed = 5
  /// No device can capture.
  case noCaptureDevice = 6
  /// No device can play.
  case noPlayoutDevice = 7
  /// The system has taken the device away for a time.
  case interrupted = 8

  /// The number of a device's fault.
  init(_ error: DeviceError, of direction: AudioDirection) {
    guard direction == .capture else {
      self = .noPlayoutDevice
      return
    }
    switch error.reason {
    case .notFound, .unplugged: self = .noCaptureDevice
    case .noPermission: self = .noPermission
    case .busy: self = .deviceBusy
    case .unsupportedFormat, .failed: self = .captureFailed
    }
  }
}
