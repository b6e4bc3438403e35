import AudioFiles
import AudioGraph
import Engine
import ExampleSupport
import FrameObservers
import Metering

/// Who speaks, and how loud, of several recordings played as users of one channel: ModerationMeter FILE FILE ...
@main
enum ModerationMeter {
  static func main() { Example.run(listen) }

  private static func listen() throws {
    let paths = CommandLine.arguments.dropFirst()
    guard !paths.isEmpty, !paths.contains("--help") else {
      Example.explain("usage: ModerationMeter FILE FILE ...", isError: paths.isEmpty)
    }
    let pipeline = try AudioPipeline(PipelineOptions(channelCount: 1, isLossless: true))
    for (index, path) in paths.enumerated() {
      let uid = UInt32(index + 1)
      let reader = try AudioFileReader.open(path: path)
      // Each begins a second after the one before it.
      let source = try FileSource(
        reader, sampleRate: 48_000, uid: uid, startPosition: index * 48_000, ready: pipeline.bell)
      try pipeline.addRemoteUser(uid, from: source)
    }
    try pipeline.enableAudioVolumeIndication(interval: 200, smooth: 3)
    pipeline.onEvent { event in
      switch event.kind {
      case .volumes(let report) where report.side == .remote:
        let bars = report.speakers.sorted { $0.uid < $1.uid }.map { speaker in
          "user \(speaker.uid) " + String(repeating: "#", count: speaker.volume / 16)
        }
        print("\(event.tickCount * 10) ms  \(bars.joined(separator: "  "))")
      case .activeSpeaker(let speaker): print("\(event.tickCount * 10) ms  user \(speaker.uid) has the floor")
      default: break
      }
    }
    try pipeline.runToEnd()
  }
}
