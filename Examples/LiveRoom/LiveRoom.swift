import AudioPipe
import Channels
import Glibc

/// A live room in the steps of commercial voice SDKs: LiveRoom RELAY APP CHANNEL VOICE [MUSIC EFFECT]
///
/// With music and an effect the user is the host. Without them it listens, and speaks for a second.
@main
enum LiveRoom {
  /// The engine does not retain its delegate.
  private static let room = Room()

  static func main() async { await Program.run(enter) }

  private static func enter() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 4 || arguments.count == 6 else {
      Program.showUsage("usage: LiveRoom RELAY APP CHANNEL VOICE [MUSIC EFFECT]")
    }
    let isHost = arguments.count == 6
    // The page opens.
    let engine = try RtcEngine(appID: arguments[1], relay: arguments[0], delegate: room)
    try engine.setChannelProfile(.live)
    try await engine.setClientRole(isHost ? .broadcaster : .audience)
    try engine.pipeline.setLocalSource(.file(arguments[3]))
    let peaks = Peaks()
    let registration = try engine.pipeline.register(peaks, mask: [.record, .playback, .beforeMixing])
    try engine.pipeline.enableAudioVolumeIndication(interval: 200, smooth: 3, reportVAD: true)
    try engine.joinChannel(
      byToken: getenv("AUDIOPIPE_TOKEN").map { String(cString: $0) }, channelId: arguments[2], uid: 0,
      mediaOptions: ChannelMediaOptions(publishesAudio: true, autoSubscribesAudio: true))
    // The user presses a button each second.
    try await Task.sleep(for: .seconds(2))
    if isHost {
      engine.muteLocalAudioStream(true)
      try await Task.sleep(for: .seconds(1))
      engine.muteLocalAudioStream(false)
      try engine.pipeline.startAudioMixing(arguments[4], loopback: false, cycle: 1)
      try await Task.sleep(for: .seconds(1))
      try engine.pipeline.playEffect(1, SoundEffect(path: arguments[5], loopCount: 0, gain: Volume(100)))
    } else {
      try await engine.setClientRole(.broadcaster)
      try await Task.sleep(for: .seconds(1))
      try await engine.setClientRole(.audience)
    }
    try await Task.sleep(for: .seconds(2))
    // The page closes.
    registration.remove()
    await withCheckedContinuation { left in
      engine.leaveChannel { statistics in
        print("left after \(statistics?.durationMilliseconds ?? 0) ms")
        left.resume()
      }
    }
    engine.destroy()
    for (position, peak) in peaks.found.sorted(by: { $0.key < $1.key }) { print("\(position): peak \(peak)") }
  }
}
