/// Devices of a system that come and go, whether they are in use or not.
///
/// Only devices of cards do: plugins and sound servers of the configuration stay in the list. Thread: control.
package final class DeviceMonitor {
  private let host: any DeviceHost
  private var seenChanges: Int
  /// Devices by the newest look.
  package private(set) var devices: [AudioDevice]

  /// Looks at the devices for the first time.
  package init(_ host: any DeviceHost) {
    self.host = host
    seenChanges = host.changeCount
    devices = host.pluggedDevices()
  }

  /// Returns the devices that have come and gone since the previous call.
  package func takeChanges() -> (arrived: [AudioDevice], gone: [AudioDevice]) {
    let count = host.changeCount
    if count == seenChanges { return ([], []) }
    seenChanges = count
    let old = devices
    devices = host.pluggedDevices()
    func difference(_ all: [AudioDevice], _ known: [AudioDevice]) -> [AudioDevice] {
      all.filter { device in !known.contains { $0.id == device.id && $0.direction == device.direction } }
    }
    return (difference(devices, old), difference(old, devices))
  }
}
