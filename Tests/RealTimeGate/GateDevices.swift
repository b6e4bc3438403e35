import AudioGraph
import Devices

/// A simulated microphone and a loudspeaker: clocks that drift, threads that are late, stalls and unplugging.
///
/// Touched between ticks, by the thread that ticks.
final class GateDevices: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): made on the control thread, then used by the ticking thread alone.
  private let devices = VirtualDevices(clock: VirtualClock())
  let source: DeviceSource
  let sink: DeviceSink

  private static let microphone = VirtualDevice(
    id: "microphone", direction: .capture, sampleRate: 44_100, skewPartsPerMillion: 300, lateness: .milliseconds(4))
  private static let loudspeaker = VirtualDevice(
    id: "loudspeaker", direction: .playout, channelCount: 2, skewPartsPerMillion: -300, lateness: .milliseconds(4))

  init() throws {
    devices.plug(Self.microphone)
    devices.plug(Self.loudspeaker)
    devices.setSignal(of: "microphone") { Float($0.truncatingRemainder(dividingBy: 0.01) * 50 - 0.25) }
    func context(_ channelCount: Int) -> PipelineContext {
      PipelineContext(
        sampleRate: 48_000, channelCount: channelCount, isOffline: true, ready: Doorbell(), endPosition: { nil })
    }
    source = try DeviceSourceDescription.device("microphone", of: devices, options: DeviceOptions(quality: .fast))
      .makeSource(uid: 9, in: context(1))
    sink = try DeviceSinkDescription.device("loudspeaker", of: devices).makeSink(in: context(2))
  }

  /// Wakes the devices up to the time of a tick, with a fault now and then.
  func run(tick: Int) {
    switch tick % 500 {
    case 50: devices.stall("microphone", for: .milliseconds(70))
    case 150: devices.delayWakes(of: "loudspeaker", by: .milliseconds(400))
    case 250: devices.unplug("microphone")
    case 260: devices.plug(Self.microphone)
    case 350: devices.unplug("loudspeaker")
    case 370: devices.plug(Self.loudspeaker)
    default: break
    }
    devices.run(untilNanoseconds: tick * 10_000_000)
  }
}
