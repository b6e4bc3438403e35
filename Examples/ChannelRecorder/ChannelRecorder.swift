import AudioPipe
import Channels
import Glibc

/// Records the users of a channel, each apart and all together: ChannelRecorder RELAY APP CHANNEL FOLDER SECONDS
@main
enum ChannelRecorder {
  static func main() async { await Program.run(record) }

  private static func record() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 5, let seconds = Int(arguments[4]), (0...1_000_000).contains(seconds) else {
      Program.showUsage("usage: ChannelRecorder RELAY APP CHANNEL FOLDER SECONDS")
    }
    let (channel, folder) = (arguments[2], arguments[3])
    let token = getenv("AUDIOPIPE_TOKEN").map { String(cString: $0) } ?? ""
    // Users of the pipeline's own channel have files without the channel's name.
    let pipeline = try AudioPipeline(channelCount: 1, channelID: channel)
    pipeline.onEvent { event in
      if case .recordingFailed(let path, let reason) = event.kind { print("\(path): \(reason)") }
    }
    try pipeline.recorder.start([.eachUser: "\(folder)/user.wav", .mixed: "\(folder)/mixed.wav"])
    let engine = try RtcEngine(appID: arguments[1], relay: arguments[0], pipeline: pipeline)
    try pipeline.start()
    try await engine.join(channel: channel, token: token, options: .audience)
    try await Task.sleep(for: .seconds(seconds))
    engine.destroy()
    pipeline.stop()
  }
}
