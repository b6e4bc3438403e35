import AudioGraph
import ChannelTestSupport
import Devices
import Engine
import FileTestSupport
import Foundation
import Glibc
import PitchDetection
import Platform
import Playback
import Signalling
import TestSupport
import Testing

@testable import Channels

/// Each method of the delegate is called: by events of a channel, of the pipeline, and of devices.
@Suite(.timeLimit(.minutes(5))) struct DelegateMethodTests {
  private let files = TestFiles()

  @Test("each event of a channel calls its method of the delegate", .shows("D2", "C6", "C7", "C8", "C11", "C18"))
  func channelEvents() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    let log = DelegateMethods()
    let ann = UserAccount("ann")!
    let expected: [(ChannelEvent, String, String)] = [
      (.stateChanged(.reconnecting, .interrupted), "connectionStateChanged", "4/2"),
      (.joined(uid: 7, account: nil, elapsedMilliseconds: 5), "didJoinChannel", "lobby 7"),
      (.rejoined(uid: 7, elapsedMilliseconds: 5), "didRejoinChannel", "lobby 7"),
      (.left, "didLeaveChannel", ""), (.connectionLost, "connectionDidLost", ""),
      (.userJoined(ChannelUser(uid: 8), elapsedMilliseconds: 5), "didJoinedOfUid", "8"),
      (.userInfoUpdated(uid: 8, account: ann), "didUserInfoUpdated", "ann"),
      (.userLeft(uid: 8, .dropped), "didOfflineOfUid", "8 1"),
      (.streamMessage(uid: 8, streamID: 2, [65]), "receiveStreamMessage", "8 2 [65]"),
      (
        .streamMessageError(uid: 8, streamID: 2, missed: 3, cached: 4), "didOccurStreamMessageError", "8 2 117 3 4"
      ),
      (.mediaRelayStateChanged(.failure, .destinationTokenExpired), "channelMediaRelayStateDidChange", "3 11"),
      (.mediaRelayEvent(.updateDestinationChannelRefused), "didReceiveChannelMediaRelayEvent", "8"),
      (.mediaRelayStarted(channel: ChannelName("hall")!, uid: 9), "didStartMediaRelayToChannel", "hall 9"),
      (
        .mediaRelayEnded(channel: ChannelName("hall")!, ChannelError(.tokenExpired, "expired")),
        "didEndMediaRelayToChannel", "hall -109 expired"
      ),
      (.userMuted(uid: 8, true), "didAudioMuted", "8 true"),
      (.speakersChanged([8, 9]), "didSelectSpeakers", "[8, 9]"),
      (.speakersChanged(nil), "didSelectSpeakers", "all"),
      (.userMusic(uid: 8, true), "remoteAudioMixingDidStart", "8"),
      (.userMusic(uid: 8, false), "remoteAudioMixingDidFinish", "8"),
      (.published(elapsedMilliseconds: 5), "firstLocalAudioFramePublished", "5"),
      (
        .publishStateChanged(old: .idle, new: .publishing, elapsedMilliseconds: 5), "didAudioPublishStateChange",
        "lobby 0 2 5"
      ),
      (
        .subscribeStateChanged(uid: 8, old: .subscribing, new: .subscribed, elapsedMilliseconds: 5),
        "didAudioSubscribeStateChange", "lobby 8 2 3 5"
      ),
      (.tokenWillExpire(milliseconds: 5), "tokenPrivilegeWillExpire", ""), (.tokenRequested, "requestToken", ""),
      (.networkTypeChanged(.wifi), "networkTypeChanged", "2"),
      (.roleChanged(old: .audience, new: .broadcaster, ClientRoleOptions()), "didClientRoleChanged", "2 1"),
      (.roleChangeFailed(.notAuthorized, current: .audience), "didClientRoleChangeFailed", "2 2"),
      (.timedOut, "didOccurWarning", "106"),
      (.failed(ChannelError(.tokenExpired, "expired")), "didOccurError", "109"),
    ]
    for (event, name, detail) in expected {
      log.deliver(event, of: "lobby", rig.engine, token: "t", hidesJoin: false)
      #expect(log.details(name).last == detail, "\(event)")
    }
  }

  @Test("each event of the sound calls its method of the delegate", .shows("D4", "D8", "D14", "D16", "M3", "E4"))
  func sound() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    let log = DelegateMethods()
    rig.engine.delegate = log
    let pipeline = rig.engine.pipeline
    // The microphone's tone is loud enough to be a voice in the volumes.
    try rig.start()
    try pipeline.setVolumeReports(every: .milliseconds(100))
    try pipeline.setSpeechReports(longestPause: .milliseconds(200))
    try pipeline.startVoicePitchReports(every: .milliseconds(50)) { format in
      let node = try PitchMeterNode(format)
      return VoicePitchMeter(node) { node.estimate(atTick: $0)?.hertz }
    }
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: .broadcaster, completion: nil)
    let peers = try (8...9).map { uid in
      let peer = try rig.addPeer(DelegateLog())
      let voice = try peer.pipeline.setLocalSource(
        .push(AudioFormat(sampleRate: 48_000, channelCount: 1), buffer: .seconds(10)))
      let samples =
        [Float](repeating: 0, count: 24_000 * uid) + VoiceLikeSignal.make(seconds: 1.5, seed: UInt64(uid))
      _ = voice.push(samples.span)
      voice.finish()
      try peer.join(channel: "lobby", token: "", user: .uid(UInt32(uid)), options: .broadcaster, completion: nil)
      return peer
    }
    let tone = try files.write("tone.wav", [(0..<24_000).map { sine(Double($0) / 48) * 0.3 }])
    try pipeline.startAudioMixing(files.path("none.wav"))
    rig.run(to: 1)
    try pipeline.startAudioMixing(tone)
    try pipeline.playEffect(1, SoundEffect(path: tone, loopCount: 0))
    try pipeline.playEffect(2, SoundEffect(path: tone, loopCount: -1))
    try rig.engine.startAudioRecording(files.path("all.wav"))
    let pipe = files.path("gone.wav")
    mkfifo(pipe, 0o600)
    signal(SIGPIPE, SIG_IGN)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    try rig.engine.startAudioRecording(pipe)
    close(reader)
    rig.run(to: 7)
    peers[0].muteLocalAudio(true)
    rig.engine.muteRemote(9, true)
    rig.devices.unplug("mic")
    rig.run(to: 8)
    try pipeline.local.remove()
    rig.run(to: 9)
    #expect(log.details("audioMixingStateChanged") == ["714/701", "710/720", "713/723"])
    #expect(log.details("didOccurPipelineWarning") == ["701"])
    #expect(log.details("didAudioEffectFinish") == ["1"] && log.details("didAudioEffectInterrupt") == ["2"])
    #expect(Set(log.details("didSpeak")) == ["8 true", "8 false", "9 true", "9 false"])
    #expect(log.details("didAudioMuted") == ["8 true"])
    #expect(log.names.isSuperset(of: Self.soundMethods), "\(Self.soundMethods.subtracting(log.names))")
  }

  private static let soundMethods: Set<String> = [
    "reportAudioVolumeIndicationOfSpeakers", "activeSpeaker", "didSpeak", "reportLocalVoicePitchFrequency",
    "audioMixingStateChanged", "localAudioMixingDidFinish", "didAudioEffectFinish", "didAudioEffectInterrupt",
    "recordingStarted", "recordingFailed", "didOccurPipelineWarning", "remoteAudioStateChanged", "reportRtcStats",
    "networkQuality", "localAudioStats", "remoteAudioStats", "localAudioStateChanged", "didAudioRouteChanged",
    "deviceStateChanged", "mediaEngineDidStartCall", "didApiCallExecute",
  ]

  @Test("a warning of the pipeline is a number for an older delegate", .shows("D1", "D16"))
  func warningNumber() throws {
    final class Numbers: RtcEngineDelegate {
      let codes = Guarded<[Int]>([])
      func rtcEngine(_ engine: RtcEngine, didOccurWarning code: Int) { codes.withLock { $0.append(code) } }
    }
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let numbers = Numbers()
    rig.engine.delegate = numbers
    try rig.engine.pipeline.startAudioMixing(files.path("none.wav"))
    rig.run(to: 0.2)
    #expect(numbers.codes.withLock { $0 } == [701])
  }

  @Test("an engine reports that it is made, and that its call begins", .shows("D15"))
  func begin() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    let log = DelegateMethods()
    let peer = try rig.addPeer(log)
    try rig.start()
    rig.run(to: 0.1)
    #expect(log.names == ["mediaEngineDidLoaded"])
    try peer.join(channel: "lobby", token: "", user: .uid(7), completion: nil)
    // A further channel is no other call.
    _ = try peer.joinEx(channel: "hall", token: "", user: .uid(7), delegate: DelegateMethods())
    rig.run(to: 1)
    #expect(log.details("mediaEngineDidLoaded").count == 1 && log.details("mediaEngineDidStartCall").count == 1)
  }

  @Test("information about a file comes to the delegate, or its error", .shows("D16", "M6"))
  func fileInfo() throws {
    let log = DelegateMethods()
    let engine = try RtcEngine(appID: "demo", relay: "ws://127.0.0.1:9", delegate: log)
    defer { engine.destroy() }
    try engine.getAudioFileInfo(files.write("half.wav", [[Float](repeating: 0, count: 24_000)]))
    #expect(eventually { log.details("didRequestAudioFileInfo") == ["500 0"] })
    try engine.getAudioFileInfo(files.path("none.wav"))
    #expect(eventually { log.details("didRequestAudioFileInfo") == ["500 0", "-1 1"] })
    #expect(throws: ChannelError.self) { try engine.getAudioFileInfo("") }
  }

  @Test("these tests know each method of the delegate")
  func complete() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    func count(_ path: String, _ text: String) throws -> Int {
      try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8).components(separatedBy: text).count - 1
    }
    let methods = try count("Sources/Channels/API/RtcEngineDelegate.swift", "  func rtcEngine")
    #expect(methods > 40)
    #expect(try count("Tests/ChannelsTests/Support/DelegateMethods.swift", "  func rtcEngine") == methods)
  }
}
