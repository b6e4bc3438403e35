import AudioGraph
import Devices
import Foundation
import GraphTestSupport

/// A simulated microphone, a source, and a graph that keeps what the source gives.
final class CaptureLab {
  let clock = VirtualClock()
  let devices: VirtualDevices
  let source: DeviceSource
  let sink: KeepingNode
  private let runner: GraphRunner
  private(set) var tick = 0

  init(
    _ device: VirtualDevice, options: DeviceOptions = DeviceOptions(), keeps: Bool = true, seed: UInt64 = 1,
    signal: @escaping @Sendable (Double) -> Float = { Float(0.5 * sin(2 * .pi * 1_000 * $0)) }
  ) throws {
    devices = VirtualDevices(clock: clock, seed: seed)
    devices.plug(device)
    devices.setSignal(of: device.id, signal)
    source = try DeviceSourceDescription.device(device.id, of: devices, options: options)
      .makeSource(uid: 1, in: Self.context)
    sink = KeepingNode(channelCount: 1)
    let graph = try Graph(sampleRate: 48_000)
    let from = try graph.add(source.node, named: "microphone")
    let to = try graph.add(keeps ? sink as any AudioNode : NullSinkNode(channelCount: 1), named: "kept")
    try graph.connect(from, to: to)
    runner = GraphRunner(sampleRate: 48_000)
    try runner.install(graph)
  }

  static var context: PipelineContext {
    PipelineContext(
      sampleRate: 48_000, channelCount: 1, isOffline: true, ready: Doorbell(), endPosition: { nil })
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

  var samples: [Float] { sink.channels[0] }
}
