import AudioPipe
import Channels
import Glibc

/// Sends back the voices of a channel, one second later: ChannelEcho RELAY APP CHANNEL [SECONDS]
///
/// A user that is alone with it hears its own voice as others would.
@main
enum ChannelEcho {
  static func main() async { await Program.run(echo) }

  private static func echo() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 3 else {
      Program.showUsage("usage: ChannelEcho RELAY APP CHANNEL [SECONDS]")
    }
    let token = getenv("AUDIOPIPE_TOKEN").map { String(cString: $0) } ?? ""
    let pipeline = try AudioPipeline(channelCount: 1, channelID: arguments[2])
    let mouth = try pipeline.setLocalSource(.push(AudioFormat(sampleRate: 48_000, channelCount: 1)))
    // All users mixed, without the local voice, so that the echo is not sent back again.
    let voices = try pipeline.frames(at: .playback)
    let engine = try RtcEngine(appID: arguments[1], relay: arguments[0], pipeline: pipeline)
    try pipeline.start()
    try await engine.join(channel: arguments[2], token: token, options: .broadcaster)
    Task {
      try await Task.sleep(for: .seconds(min(86_400, arguments.count > 3 ? Int(arguments[3]) ?? 60 : 86_400)))
      voices.cancel()
    }
    let second = [Int16](repeating: 0, count: 48_000)
    for await frame in voices {
      // Frames come only while a user publishes: a second of silence is the delay of the voices behind it.
      if mouth.queued == .zero { try await mouth.push(second) }
      try await mouth.push(frame.samples)
    }
    engine.destroy()
    pipeline.stop()
  }
}
