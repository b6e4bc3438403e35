package import CommandLineKit
import Devices
import Engine
import Platform

extension CommandFailure {
  /// Wraps an error of devices, files and pipelines, with the exit code that belongs to it: 69 for a device.
  package init(live error: any Error) {
    let cause = (error as? EngineError)?.cause ?? error
    if let error = cause as? DeviceError {
      self.init(.unavailable, error.message)
    } else {
      self.init(sound: error)
    }
  }
}
