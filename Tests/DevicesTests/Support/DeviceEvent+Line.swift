import Devices

extension DeviceEvent {
  /// The event as a line: `opened headset`.
  var line: String {
    switch self {
    case .opened(let device): "opened \(device.id)"
    case .failed: "failed"
    case .unplugged(let id): "unplugged \(id)"
    case .plugged(let id): "plugged \(id)"
    case .closed(let id): "closed \(id)"
    case .interrupted(let id): "interrupted \(id)"
    case .resumed(let id): "resumed \(id)"
    }
  }
}
