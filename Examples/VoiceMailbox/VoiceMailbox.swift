import AudioPipe
import Calls
import Glibc

/// Answers calls after some seconds, plays a greeting, and records each caller until it hangs up:
/// VoiceMailbox RELAY APP UID GREETING FOLDER [SECONDS]
@main
enum VoiceMailbox {
  static func main() async { await Program.run(answer) }

  private static func answer() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 5, let uid = UInt32(arguments[2]),
      let seconds = arguments.count > 5 ? Double(arguments[5]) : 3, (0..<15).contains(seconds),
      arguments[3...4].allSatisfy({ access($0, R_OK) == 0 })
    else {
      Program.showUsage("usage: VoiceMailbox RELAY APP UID GREETING FOLDER [SECONDS up to 14]")
    }
    // A token for any channel, since callers choose their rooms.
    let token = getenv("AUDIOPIPE_TOKEN").map { String(cString: $0) } ?? ""
    let engine = try RtcEngine(appID: arguments[1], relay: arguments[0])
    let session = try await engine.openSession(token: token, user: .uid(uid))
    let (calls, news) = (CallAPI(), News())
    calls.addListener(news)
    try calls.initialize(CallConfig(userID: uid, engine: engine, signalClient: RelaySignalClient(session)))
    try await calls.prepareForCall(PrepareConfig(roomID: "mailbox-\(UInt64.random(in: 1...(.max)))", rtcToken: token))
    print("user \(uid) waits for calls")
    var (count, caller, isRecording) = (0, UInt32(0), false)
    for await (state, info) in news.states {
      switch state {
      case .calling:
        caller = info["remoteUserId"].flatMap { UInt32($0) } ?? 0
        // A caller that has given up meanwhile is not there any more, and the next one need not wait.
        Task { [caller] in
          try await Task.sleep(for: .seconds(seconds))
          try await calls.accept(caller)
        }
      case .connected:
        (count, isRecording) = (count + 1, true)
        try engine.pipeline.recorder.start(
          "\(arguments[4])/\(time(nil))-\(count)-from-\(caller).wav", position: .playback)
        try engine.pipeline.setLocalSource(.file(arguments[3]))
        print("recording \(count) of user \(caller)")
      case .prepared where isRecording:
        isRecording = false
        try engine.pipeline.recorder.stop()
        try engine.pipeline.local.remove()
        print("recording \(count) is complete")
      default: break
      }
    }
  }
}

/// States of the calls, in their order.
private final class News: CallListener {
  let (states, feed) = AsyncStream.makeStream(of: (CallState, [String: String]).self)

  func onCallStateChanged(
    _ state: CallState, reason: CallStateReason, eventReason: String, eventInfo: [String: String]
  ) {
    feed.yield((state, eventInfo))
  }
}
