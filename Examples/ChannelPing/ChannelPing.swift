import AudioPipe
import Channels
import Glibc

/// Answers each message of a channel's users, and measures its way: ChannelPing RELAY APP CHANNEL [SECONDS]
///
/// It sends "ping" and the time each second; every ChannelPing of the channel sends it back as "pong".
@main
enum ChannelPing {
  static func main() async { await Program.run(ping) }

  private static func ping() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 3 else {
      Program.showUsage("usage: ChannelPing RELAY APP CHANNEL [SECONDS]")
    }
    let token = getenv("AUDIOPIPE_TOKEN").map { String(cString: $0) } ?? ""
    let pipeline = try AudioPipeline(channelCount: 1, channelID: arguments[2])
    let engine = try RtcEngine(appID: arguments[1], relay: arguments[0], pipeline: pipeline)
    try pipeline.start()
    // Without sound: a broadcaster may send messages.
    let options = ChannelMediaOptions(publishesAudio: false, role: .broadcaster)
    try await engine.join(channel: arguments[2], token: token, options: options)
    // A late answer is worth nothing, so that lost ones are not repeated.
    let stream = try engine.createDataStream(reliable: false, ordered: false)
    let clock = SystemClock()
    let asking = Task {
      for _ in 0..<min(86_400, arguments.count > 3 ? Int(arguments[3]) ?? 60 : 86_400) {
        try await Task.sleep(for: .seconds(1))
        try engine.sendStreamMessage(stream, data: Array("ping \(clock.nowNanoseconds)".utf8))
      }
      engine.leave()
    }
    for await event in engine.connection!.events {
      if case .left = event { break }
      guard case .streamMessage(let uid, _, let bytes) = event else { continue }
      let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
      guard words.count == 2, let sent = Int(words[1]) else { continue }
      // One too many is left out.
      if words[0] == "ping" { try? engine.sendStreamMessage(stream, data: Array("pong \(sent)".utf8)) }
      // The clock of another machine has another beginning: its pongs are for its own pings.
      let elapsed = clock.nowNanoseconds - sent
      if words[0] == "pong", elapsed < 10_000_000_000 { print("user \(uid): \(elapsed / 1_000) us") }
    }
    asking.cancel()
    engine.destroy()
    pipeline.stop()
  }
}
