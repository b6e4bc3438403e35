import Glibc
public import Platform

/// Reason why a device cannot be opened or has stopped, with a sentence to show.
public struct DeviceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kind of the reason.
  public enum Reason: Hashable, Sendable {
    /// There is no such device, or no device at all.
    case notFound
    /// The user may not use the device.
    case noPermission
    /// Another program uses the device.
    case busy
    /// The device offers no format that can be used.
    case unsupportedFormat
    /// The device has been removed.
    case unplugged
    /// The device does not work, for another reason.
    case failed
  }

  /// Kind of the reason.
  public let reason: Reason
  /// Sentence: the device, the fault, and an action.
  public let message: String

  /// Creates an error.
  public init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  public var description: String { message }

  /// The error of a device whose opening does not end.
  static func silent(_ id: String) -> DeviceError {
    DeviceError(.failed, "the device '\(id)' does not answer; check its sound server")
  }
}

extension DeviceError: ExitStatusError {
  /// 69: the device is not available.
  public var exitStatus: Int32 { EX_UNAVAILABLE }
}
