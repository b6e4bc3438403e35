import AudioGraph
import BenchmarkTwins
import Devices

/// A mono microphone and a stereo loudspeaker with clocks that drift, beside libsamplerate alone.
enum DeviceSubject {
  private static let count = 480

  static func run(_ bench: Bench) throws {
    let devices = VirtualDevices(clock: VirtualClock())
    devices.plug(VirtualDevice(id: "microphone", direction: .capture, skewPartsPerMillion: 200))
    devices.plug(VirtualDevice(id: "loudspeaker", direction: .playout, channelCount: 2, skewPartsPerMillion: -200))
    let options = DeviceOptions(quality: .fast)
    let source = try DeviceSourceDescription.device("microphone", of: devices, options: options)
      .makeSource(uid: 1, in: context(1))
    let sink = try DeviceSinkDescription.device("loudspeaker", of: devices, options: options)
      .makeSink(in: context(2))
    let graph = try Graph(sampleRate: 48_000)
    let microphone = try graph.add(source.node, named: "microphone")
    try graph.connect(microphone, to: try graph.add(NullSinkNode(channelCount: 1), named: "end"))
    let music = try graph.add(LoopSourceNode(Signal.voice(count: 48_000, peak: 0.5), channelCount: 2), named: "music")
    try graph.connect(music, to: try graph.add(sink.node, named: "loudspeaker"))
    let runner = GraphRunner(sampleRate: 48_000)
    try runner.install(graph)
    var tick = 0
    let (mono, stereo) = (twin_drift_create(1), twin_drift_create(2))
    defer {
      twin_drift_destroy(mono)
      twin_drift_destroy(stereo)
    }
    let input = Signal.voice(count: 2 * count, peak: 0.5)
    var output = [Float](repeating: 0, count: 4 * count)
    bench.compare(
      "mono capture and stereo playout, with the simulated devices", to: "bare libsamplerate", turns: 600,
      iterations: 10, isPerFrame: true,
      ours: { turns in
        for _ in 0..<turns {
          devices.run(untilNanoseconds: tick * 10_000_000)
          runner.tick(timeNanoseconds: tick * 10_000_000)
          tick += 1
        }
      },
      twin: { turns in
        for _ in 0..<turns {
          _ = twin_drift_convert(mono, input, &output, count)
          _ = twin_drift_convert(stereo, input, &output, count)
        }
      })
    let reports = [source.report, sink.report]
    try bench.check(reports.allSatisfy { $0.underrunCount == 0 && $0.xrunCount == 0 }, "the sound was interrupted")
    try bench.check(tick < 10 || reports.allSatisfy { $0.delayNanoseconds > 0 }, "the devices do not run")
  }

  private static func context(_ channelCount: Int) -> PipelineContext {
    PipelineContext(
      sampleRate: 48_000, channelCount: channelCount, isOffline: true, ready: Doorbell(), endPosition: { nil })
  }
}
