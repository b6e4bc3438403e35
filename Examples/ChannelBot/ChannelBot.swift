import AudioPipe
import Channels
import Glibc

/// Plays music to a channel after each speech, until the next one: ChannelBot RELAY APP CHANNEL MUSIC [SECONDS]
@main
enum ChannelBot {
  /// The engine does not retain its delegate.
  private static let guests = Guests()

  static func main() async { await Program.run(play) }

  private static func play() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 4 else {
      Program.showUsage("usage: ChannelBot RELAY APP CHANNEL MUSIC [SECONDS]")
    }
    let (channel, music) = (arguments[2], arguments[3])
    let token = getenv("AUDIOPIPE_TOKEN").map { String(cString: $0) } ?? ""
    let pipeline = try AudioPipeline(channelID: channel)
    // Music is sent along with a local voice; this one is silent until speech is pushed.
    try pipeline.setLocalSource(.push(AudioFormat(sampleRate: 48_000, channelCount: 1)))
    try pipeline.setSpeechReports(longestPause: .milliseconds(500))
    let (events, feed) = AsyncStream.makeStream(of: PipelineEvent.self)
    pipeline.onEvent { feed.yield($0) }
    let engine = try RtcEngine(appID: arguments[1], relay: arguments[0], pipeline: pipeline, delegate: guests)
    try pipeline.start()
    try await engine.join(channel: channel, token: token, options: .broadcaster)
    Task {
      try await Task.sleep(for: .seconds(min(86_400, arguments.count > 4 ? Int(arguments[4]) ?? 60 : 86_400)))
      feed.finish()
    }
    var (speakers, lastSpeech) = (Set<SpeakerID>(), Duration.zero)
    for await event in events {
      switch event.kind {
      case .speechBegan(let speaker):
        speakers.insert(speaker)
        lastSpeech = event.time
        try? pipeline.music.stop()  // throws if no music plays
      case .speechEnded(let speaker):
        speakers.remove(speaker)
        if speakers.isEmpty { try pipeline.music.start(music) }
      case .music(.stopped, .stoppedByUser):
        print("the music has stopped after \(Int((event.time - lastSpeech) / .milliseconds(1))) ms of speech")
      case .warning(let warning): print(warning)
      default: break
      }
    }
    engine.destroy()
    pipeline.stop()
  }
}
