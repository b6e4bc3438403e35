import AudioPipe

/// Who speaks, and how loud, of several recordings played as users of one channel: ModerationMeter FILE FILE ...
@main
enum ModerationMeter {
  static func main() async { await Program.run(listen) }

  private static func listen() async throws {
    let paths = CommandLine.arguments.dropFirst()
    guard !paths.isEmpty, !paths.contains("--help") else {
      Program.showUsage("usage: ModerationMeter FILE FILE ...")
    }
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    for (index, path) in paths.enumerated() {
      // Each begins a second after the one before it.
      try pipeline.addRemoteUser(UInt32(index + 1), from: .file(path, after: .seconds(index)))
    }
    try pipeline.setVolumeReports(every: .milliseconds(200))
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
    try await pipeline.run()
  }
}
