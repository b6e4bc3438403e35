import AudioGraph
import Devices
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RoundTripTests {
  @Test(
    "the reported delay is that of an impulse, and short", .shows("devices: clocks"), arguments: DriftCase.all,
    [DeviceOptions.Quality.fast, .high])
  func impulse(_ drift: DriftCase, _ quality: DeviceOptions.Quality) throws {
    let clock = VirtualClock()
    let devices = VirtualDevices(clock: clock)
    var microphone = drift.device(.capture)
    microphone.id = "microphone"
    var loudspeaker = DriftCase(skew: -drift.skew, sampleRate: drift.sampleRate, hasJitter: drift.hasJitter)
      .device(.playout)
    loudspeaker.id = "loudspeaker"
    devices.plug(microphone)
    devices.plug(loudspeaker)
    // A pulse of 2 ms, once a second: its centre is found to a fraction of a sample.
    devices.setSignal(of: "microphone") { time in
      let distance = (time - time.rounded()) / 0.001
      return abs(distance) < 1 ? Float(0.25 * (1 + cos(.pi * distance))) : 0
    }
    let centre = Guarded((weight: 0.0, sum: 0.0))
    devices.setListener(of: "loudspeaker") { samples, time in
      centre.withLock { centre in
        for (index, sample) in samples.enumerated() where time(index) > 20.5 && time(index) < 21.5 {
          centre.weight += Double(sample)
          centre.sum += Double(sample) * time(index)
        }
      }
    }
    let options = DeviceOptions(quality: quality)
    let source = try DeviceSourceDescription.device("microphone", of: devices, options: options)
      .makeSource(uid: 1, in: CaptureLab.context)
    let sink = try DeviceSinkDescription.device("loudspeaker", of: devices, options: options)
      .makeSink(in: CaptureLab.context)
    let graph = try Graph(sampleRate: 48_000)
    try graph.connect(
      try graph.add(source.node, named: "microphone"), to: try graph.add(sink.node, named: "loudspeaker"))
    let runner = GraphRunner(sampleRate: 48_000)
    try runner.install(graph)
    for tick in 0..<2_200 {
      devices.run(untilNanoseconds: tick * 10_000_000)
      runner.tick(timeNanoseconds: tick * 10_000_000)
    }
    let measured = centre.withLock { $0.sum / $0.weight } - 21
    let reported = Double(source.report.delayNanoseconds + sink.report.delayNanoseconds) * 1e-9
    #expect(abs(measured - reported) < 0.001, "\(drift)")
    // Two periods and a tick beyond the period that each device has in its own buffer, and the filters.
    let filters = 4.0 / 1_000 * max(1, 48_000 / Double(drift.sampleRate))
    #expect(measured < 0.02 + 0.02 + 0.01 + filters, "\(drift)")
  }
}
