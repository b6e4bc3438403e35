import AudioGraph
import ChannelTestSupport
import Channels
import Engine
import FileTestSupport
import Glibc
import TestSupport
import Testing

/// Recordings of a channel.
@Suite(.timeLimit(.minutes(5))) struct EngineRecordingTests {
  private let files = TestFiles()

  private func joined() throws -> EngineRig {
    let rig = try EngineRig()
    try rig.start()
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: .broadcaster, completion: nil)
    rig.run(to: 1)
    return rig
  }

  private func seconds(_ path: String) throws -> Double { Double(try files.read(path)[0].count) / 48_000 }

  @Test("a leave ends the engine's recordings, and not those of the pipeline", .shows("R1"))
  func leave() throws {
    let rig = try joined()
    let (call, own) = (files.path("call.wav"), files.path("own.wav"))
    try rig.engine.startAudioRecording(call, position: .record)
    try rig.engine.pipeline.recorder.start(own, position: .record)
    rig.run(to: 3)
    rig.engine.leave()
    rig.run(to: 4)
    rig.finish()
    #expect(try abs(seconds(call) - 2) < 0.1 && abs(seconds(own) - 3) < 0.1)
  }

  @Test("a leave that keeps recordings lets them continue", .shows("R1", "C1"))
  func kept() throws {
    let rig = try joined()
    let call = files.path("call.wav")
    try rig.engine.startAudioRecording(call, position: .record)
    rig.run(to: 3)
    rig.engine.leave(LeaveOptions(stopsRecordings: false, stopsMicrophone: false))
    rig.run(to: 4)
    try rig.engine.stopAudioRecording()
    rig.run(to: 5)
    rig.finish()
    #expect(try abs(seconds(call) - 3) < 0.1)
  }

  @Test("a recording needs a channel, and its stop a recording", .shows("R1", "C5"))
  func refusals() throws {
    let rig = try EngineRig()
    try rig.start()
    func code(_ call: () throws -> Void) -> ChannelErrorCode? {
      #expect(throws: ChannelError.self) { try call() }?.code
    }
    #expect(code { try rig.engine.startAudioRecording(files.path("a.wav")) } == .wrongState)
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), completion: nil)
    #expect(code { try rig.engine.stopAudioRecording() } == .wrongState)
    #expect(code { try rig.engine.startAudioRecording("\(files.folder)/no/a.wav") } == .invalidArgument)
    rig.finish()
    #expect(code { try rig.engine.startAudioRecording(files.path("a.wav")) } == .notInitialised)
  }

  @Test("a leave does not wait for a file that stalls", .shows("R1", "C1"))
  func stalled() async throws {
    let relay = try LoopbackRelay()
    defer { relay.stop() }
    let engine = try RtcEngine(appID: "demo", relay: relay.url)
    defer { engine.destroy() }
    let voice = try engine.pipeline.setLocalSource(
      .push(AudioFormat(sampleRate: 48_000, channelCount: 1), buffer: .seconds(10)))
    _ = voice.push([Float](repeating: 0.1, count: 480_000).span)
    try await engine.join(channel: "lobby", token: "good", user: .uid(7), options: .broadcaster)
    signal(SIGPIPE, SIG_IGN)
    let pipe = files.path("slow.wav")
    mkfifo(pipe, 0o600)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try engine.startAudioRecording(pipe)
    // A pipe holds 64 KiB.
    let end = engine.pipeline.tickCount + 150
    #expect(eventually { engine.pipeline.tickCount >= end })
    let connection = try #require(engine.connection)
    engine.leave()
    #expect(eventually { connection.state == .disconnected && relay.users(of: "lobby").isEmpty })
  }
}
