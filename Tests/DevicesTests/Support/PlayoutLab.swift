import AudioGraph
import Devices
import Foundation
import GraphTestSupport

/// A tone, a device sink, and a simulated loudspeaker that keeps what is heard.
final class PlayoutLab {
  let clock = VirtualClock()
  let devices: VirtualDevices
  let sink: DeviceSink
  private let runner: GraphRunner
  private(set) var tick = 0
  private let heard = Guarded<[Heard]>([])

  private struct Heard: Sendable {
    let time: Double
    let first: Float
    let last: Float
  }

  /// A tone of 1 kHz at half of full scale.
  static func tone(seconds: Int) -> MemorySource {
    MemorySource([(0..<seconds * 48_000).map { Float(0.5 * sin(2 * .pi * 1_000 * Double($0) / 48_000)) }])
  }

  init(
    _ device: VirtualDevice, options: DeviceOptions = DeviceOptions(), keeps: Bool = true, seed: UInt64 = 1,
    source: any AudioNode
  ) throws {
    devices = VirtualDevices(clock: clock, seed: seed)
    devices.plug(device)
    let heard = heard
    let channels = device.channelCount
    if keeps {
      devices.setListener(of: device.id) { samples, time in
        heard.withLock { heard in
          for index in 0..<(samples.count / channels) {
            heard.append(
              Heard(
                time: time(index), first: samples[index * channels], last: samples[(index + 1) * channels - 1]))
          }
        }
      }
    }
    sink = try DeviceSinkDescription.device(device.id, of: devices, options: options).makeSink(
      in: CaptureLab.context)
    let graph = try Graph(sampleRate: 48_000)
    let from = try graph.add(source, named: "tone")
    let to = try graph.add(sink.node, named: "loudspeaker")
    try graph.connect(from, to: to)
    runner = GraphRunner(sampleRate: 48_000)
    try runner.install(graph)
  }

  /// Runs devices and ticks.
  func run(_ duration: Duration, eachTick: () -> Void = {}) {
    for _ in 0..<Int(duration / .milliseconds(10)) {
      devices.run(untilNanoseconds: tick * 10_000_000)
      runner.tick(timeNanoseconds: tick * 10_000_000)
      tick += 1
      eachTick()
    }
  }

  /// Lets ticks be late: none for a time, then all at once.
  func stallTicks(_ duration: Duration) {
    let count = Int(duration / .milliseconds(10))
    devices.run(untilNanoseconds: (tick + count) * 10_000_000)
    for _ in 0..<count {
      runner.tick(timeNanoseconds: tick * 10_000_000)
      tick += 1
    }
  }

  /// Samples that were heard on the first channel, and on the last.
  var samples: [Float] { heard.withLock { $0.map(\.first) } }
  var lastChannel: [Float] { heard.withLock { $0.map(\.last) } }
  /// Times at which they were heard, in seconds.
  var times: [Double] { heard.withLock { $0.map(\.time) } }
}
