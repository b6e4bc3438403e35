import Devices
import Platform
import Synchronization

/// Devices that are opened as real ones are, beside the device thread; the opening of one hangs while wanted.
final class HangingHost: DeviceHost, Sendable {
  let system = VirtualDevices(liveClock: VirtualClock())
  private let hanging: String
  private let isHanging = Atomic(false)
  private let released = Doorbell()

  init(hanging: String) { self.hanging = hanging }

  var clock: any EngineClock { system.clock }
  var isSimulated: Bool { false }
  var changeCount: Int { system.changeCount }
  func devices() -> [AudioDevice] { system.devices() }
  func pluggedDevices() -> [AudioDevice] { system.pluggedDevices() }

  func hang() { isHanging.store(true, ordering: .sequentiallyConsistent) }

  func release() {
    isHanging.store(false, ordering: .sequentiallyConsistent)
    released.ring()
  }

  func open(_ id: String, _ direction: AudioDirection, _ request: PCMRequest) throws(DeviceError) -> any PCM {
    while id == hanging, isHanging.load(ordering: .sequentiallyConsistent) { released.wait(atMostMilliseconds: 10) }
    return try system.open(id, direction, request)
  }

  func run(_ stream: any ServicedStream, named name: String) throws(ThreadError) -> any RunningStream {
    try system.run(stream, named: name)
  }
}
