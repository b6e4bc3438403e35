import AudioPipe
import Channels
import Glibc

/// Speaks in two channels at once: CoHost RELAY APP CHANNEL OTHER FILE [SECONDS]
///
/// The file goes to the relay once. AUDIOPIPE_TOKEN has the right relay:OTHER, and AUDIOPIPE_OTHER_TOKEN is for OTHER.
/// A relay that allows the app id alone needs neither.
@main
enum CoHost {
  static func main() async { await Program.run(host) }

  private static func host() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 5 else {
      Program.showUsage("usage: CoHost RELAY APP CHANNEL OTHER FILE [SECONDS]")
    }
    let pipeline = try AudioPipeline(channelID: arguments[2])
    try pipeline.setLocalSource(.file(arguments[4]))
    let engine = try RtcEngine(appID: arguments[1], relay: arguments[0], pipeline: pipeline)
    try pipeline.start()
    try await engine.join(channel: arguments[2], token: token("AUDIOPIPE_TOKEN") ?? "", options: .broadcaster)
    try await engine.startOrUpdateChannelMediaRelay(
      ChannelMediaRelayConfiguration(
        destinations: [ChannelMediaInfo(channel: arguments[3], token: token("AUDIOPIPE_OTHER_TOKEN"))]))
    Task {
      try await Task.sleep(for: .seconds(min(86_400, arguments.count > 5 ? Int(arguments[5]) ?? 60 : 86_400)))
      engine.leave()
    }
    events: for await event in engine.connection!.events {
      switch event {
      case .mediaRelayStarted(let channel, let uid): print("user \(uid) speaks in \(channel)")
      case .mediaRelayEnded(let channel, let error): print("\(channel) hears no more: \(error)")
      case .left, .stateChanged(.failed, _): break events
      default: break
      }
    }
    engine.destroy()
    pipeline.stop()
  }

  private static func token(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
