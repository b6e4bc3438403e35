import AudioFiles
import AudioGraph
import Effects
import Engine
import FileTestSupport
import Foundation
import FrameObservers
import Glibc
import GraphTestSupport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RecordingTests {
  private let files = TestFiles()
  private let length = 24_000
  private static let exact = RecordingOptions(sampleFormat: .float32)

  private func mono() throws -> AudioPipeline { try AudioPipeline(mode: .offline, channelCount: 1) }

  @Test("files of all positions and users are aligned to the sample", .shows("R1"))
  func everyPosition() throws {
    let pipeline = try mono()
    let voices = (1...2).map { seededNoise(count: length, seed: $0, amplitude: 0.2) }
    let own = seededNoise(count: length, seed: 3, amplitude: 0.2)
    try pipeline.addSpeaker(1, from: try PlaneSource([voices[0]]))
    try pipeline.addRemoteUser(2, from: try PlaneSource([voices[1]]))
    try pipeline.setLocalSource(try PlaneSource([own], uid: 0))
    for (name, position) in [("m.wav", RecordingPosition.mixed), ("p.wav", .playback), ("r.wav", .record)] {
      try pipeline.startAudioRecording(files.path(name), position: position, options: Self.exact)
    }
    try pipeline.startAudioRecording("\(files.folder)/u.wav", position: .eachUser, options: Self.exact)
    try pipeline.runToEnd()
    let sum = (0..<length).map { voices[0][$0] + voices[1][$0] }
    #expect(try files.read(files.path("p.wav")) == [sum])
    #expect(try files.read(files.path("m.wav")) == [(0..<length).map { sum[$0] + own[$0] }])
    for name in ["r.wav", "u.local.wav"] { #expect(try files.read(files.path(name)) == [own]) }
    #expect(try files.read(files.path("u.1.wav")) == [voices[0]])
    #expect(try files.read(files.path("u.2.wav")) == [voices[1]])
  }

  @Test("a user of another channel is recorded apart from its namesake", .shows("R1"))
  func otherChannel() throws {
    let pipeline = try mono()
    let voices = (1...2).map { seededNoise(count: length, seed: $0, amplitude: 0.2) }
    try pipeline.addRemoteUser(1, from: try PlaneSource([voices[0]]))
    try pipeline.addRemoteUser(1, from: try PlaneSource([voices[1]]), options: UserOptions(channelID: "hall"))
    try pipeline.startAudioRecording(files.path("own.wav"), position: .user(1), options: Self.exact)
    try pipeline.startAudioRecording(
      files.path("hall.wav"), position: .user(1, channel: "hall"), options: Self.exact)
    try pipeline.runToEnd()
    #expect(try files.read(files.path("own.wav")) == [voices[0]])
    #expect(try files.read(files.path("hall.wav")) == [voices[1]])
  }

  @Test("recordings of one call begin with one sample of a live pipeline", .shows("R1"))
  func oneCall() throws {
    let pipeline = try AudioPipeline(channelCount: 1)
    let voices = (1...2).map { seededNoise(count: 96_000, seed: $0, amplitude: 0.2) }
    for uid in 1...2 { try pipeline.addRemoteUser(UInt32(uid), from: try PlaneSource([voices[uid - 1]])) }
    let clock = GatedClock()
    try pipeline.start(clock: clock)
    clock.open(untilNanoseconds: 200_000_000)
    #expect(eventually { pipeline.tickCount == 21 })
    try pipeline.recorder.start(
      [.eachUser: "\(files.folder)/u.wav", .mixed: files.path("m.wav")], options: Self.exact)
    // In steps, since a ring that a busy machine does not empty drops frames.
    for tick in stride(from: 30, through: 120, by: 10) {
      clock.open(untilNanoseconds: tick * 10_000_000)
      #expect(eventually { pipeline.tickCount == tick + 1 })
    }
    try pipeline.recorder.stop()
    clock.open(untilNanoseconds: .max)
    pipeline.stop()
    let each = try (1...2).map { try files.read(files.path("u.\($0).wav"))[0] }
    let mixed = try files.read(files.path("m.wav"))[0]
    #expect(mixed.count > 40_000 && each.allSatisfy { $0.count == mixed.count })
    let sum: [Float] = zip(each[0], each[1]).map { $0 + $1 }
    #expect(mixed == sum)
    #expect(each[0] == Array(voices[0][10_080...].prefix(mixed.count)))
  }

  @Test("files that wait for a user begin with the first user", .shows("R1"))
  func waiting() throws {
    let pipeline = try AudioPipeline(channelCount: 1)
    let voices = (1...2).map { seededNoise(count: 48_000, seed: $0, amplitude: 0.2) }
    let clock = GatedClock()
    var options = Self.exact
    options.waitsForUser = true
    try pipeline.recorder.start([.eachUser: "\(files.folder)/u.wav", .mixed: files.path("m.wav")], options: options)
    try pipeline.start(clock: clock)
    func run(to tick: Int) {
      clock.open(untilNanoseconds: tick * 10_000_000)
      #expect(eventually { pipeline.tickCount == tick + 1 })
    }
    run(to: 20)
    #expect(!FileManager.default.fileExists(atPath: files.path("m.wav")))
    try pipeline.addRemoteUser(1, from: try PlaneSource([voices[0]]))
    run(to: 30)
    try pipeline.addRemoteUser(2, from: try PlaneSource([voices[1]]))
    run(to: 50)
    try pipeline.recorder.stop()
    clock.open(untilNanoseconds: .max)
    pipeline.stop()
    let first = try files.read(files.path("u.1.wav"))[0]
    let second = try files.read(files.path("u.2.wav"))[0]
    // The first frame of a new path is faded in.
    let count = min(first.count, second.count, 12_000)
    #expect(count > 9_000)
    #expect(first[480..<count] == voices[0][480..<count])
    #expect(second[..<4_800].allSatisfy { $0 == 0 } && second[5_280..<count] == voices[1][480..<count - 4_800])
    #expect(try files.read(files.path("m.wav"))[0].count == first.count)
  }

  @Test("recordings of one call leave no file if one of them cannot be made")
  func oneCallFails() throws {
    let pipeline = try mono()
    try pipeline.addRemoteUser(1, from: try PlaneSource([seededNoise(count: length, seed: 1)]))
    let path = files.path("a.wav")
    #expect(throws: EngineError.self) {
      try pipeline.recorder.start([.mixed: path, .eachUser: "\(files.folder)/none/u.wav"])
    }
    #expect(access(path, F_OK) != 0)
    #expect(throws: EngineError.self) { try pipeline.recorder.start([.mixed: path, .playback: path]) }
    try pipeline.recorder.start([.mixed: path])
    try pipeline.runToEnd()
    #expect(try files.read(path)[0].count == length)
  }

  @Test("the delay of one voice's effects does not shift its file", .shows("R1"))
  func delayedVoice() throws {
    let pipeline = try mono()
    var click = [Float](repeating: 0, count: length)
    click[9_600] = 0.5
    try pipeline.addRemoteUser(1, from: try PlaneSource([click]))
    try pipeline.setLocalSource(
      try PlaneSource([click], uid: 0), pitch: VoicePitch(.unchanged, mode: .quality, keepsFormants: false))
    try pipeline.startAudioRecording("\(files.folder)/u.wav", position: .eachUser, options: Self.exact)
    try pipeline.runToEnd()
    let remote = try files.read(files.path("u.1.wav"))[0]
    let local = try files.read(files.path("u.local.wav"))[0]
    #expect(remote == click)
    #expect(local.count == length)
    #expect(local.indices.max { abs(local[$0]) < abs(local[$1]) } == 9_600)
  }

  @Test("a recording in the middle of a run begins with its first sample")
  func middle() throws {
    let pipeline = try mono()
    let voice = seededNoise(count: length, seed: 1, amplitude: 0.2)
    try pipeline.addRemoteUser(1, from: try PlaneSource([voice]))
    let path = files.path("m.wav")
    let latency = try pipeline.latency()
    let thrown = Guarded<(any Error)?>(nil)
    try pipeline.runToEnd {
      do {
        if pipeline.tickCount == 10 { try pipeline.startAudioRecording(path, options: Self.exact) }
        if pipeline.tickCount == 30 { try pipeline.stopAudioRecording(path) }
      } catch {
        thrown.withLock { $0 = error }
      }
      return false
    }
    #expect(thrown.withLock { $0 } == nil)
    let recorded = try files.read(path)[0]
    #expect(recorded.count == 20 * 480 - latency)
    // What is new in the graph is heard after one crossfaded frame.
    #expect(recorded[960...] == voice[(4_800 + 960)..<(4_800 + recorded.count)])
  }

  @Test("an absent user is silence in its file, which stays aligned", .shows("R1"))
  func absence() throws {
    let pipeline = try mono()
    let voice = seededNoise(count: length, seed: 1, amplitude: 0.2)
    let late = seededNoise(count: 9_600, seed: 2, amplitude: 0.2)
    try pipeline.addRemoteUser(1, from: try PlaneSource([voice]))
    try pipeline.startAudioRecording("\(files.folder)/u.wav", position: .eachUser, options: Self.exact)
    let thrown = Guarded<(any Error)?>(nil)
    try pipeline.runToEnd {
      do {
        switch pipeline.tickCount {
        case 10: try pipeline.muteRemoteAudioStream(1, true)
        case 15: try pipeline.addRemoteUser(2, from: try PlaneSource([late], uid: 2))
        case 20: try pipeline.muteRemoteAudioStream(1, false)
        case 25: try pipeline.removeUser(2)
        default: break
        }
      } catch {
        thrown.withLock { $0 = error }
      }
      return false
    }
    #expect(thrown.withLock { $0 } == nil)
    let first = try files.read(files.path("u.1.wav"))[0]
    let second = try files.read(files.path("u.2.wav"))[0]
    #expect(first.count == length && second.count == length)
    #expect(first[..<4_800] == voice[..<4_800])
    #expect(first[(4_800 + 480)..<(9_600 - 480)].allSatisfy { $0 == 0 })
    #expect(first[(9_600 + 960)...] == voice[(9_600 + 960)...])
    #expect(second[..<7_200].allSatisfy { $0 == 0 })
    #expect(second[(7_200 + 960)..<11_500] == late[960..<4_300])
    #expect(second[(12_000 + 960)...].allSatisfy { $0 == 0 })
  }

  @Test("a user that returns with more channels is still recorded")
  func moreChannels() throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 2)
    let voice = seededNoise(count: length, seed: 1, amplitude: 0.2)
    try pipeline.addRemoteUser(1, from: try PlaneSource([voice]))
    try pipeline.addRemoteUser(2, from: try PlaneSource([voice], uid: 2))
    try pipeline.startAudioRecording("\(files.folder)/u.wav", position: .eachUser, options: Self.exact)
    let thrown = Guarded<(any Error)?>(nil)
    try pipeline.runToEnd {
      do {
        switch pipeline.tickCount {
        case 5: try pipeline.removeUser(2)
        case 10: try pipeline.addRemoteUser(2, from: try PlaneSource([voice, voice], uid: 2))
        case 20: try pipeline.removeUser(2)
        case 25: try pipeline.adjustUserPlaybackSignalVolume(1, 50)
        case 30: try pipeline.muteRemoteAudioStream(1, true)
        default: break
        }
      } catch {
        thrown.withLock { $0 = error }
      }
      return false
    }
    #expect(thrown.withLock { $0 } == nil)
    let second = try files.read(files.path("u.2.wav"))
    #expect(second.count == 1 && second[0].count == length)
    #expect(second[0][(4_800 + 960)..<9_000] == voice[960..<4_200])
    #expect(second[0][(9_600 + 960)...].allSatisfy { $0 == 0 })
    _ = files.path("u.1.wav")
  }

  @Test("the extension sets the kind of the file", .shows("R1"), arguments: ["r.flac", "r.caf", "r.aiff"])
  func kinds(name: String) throws {
    let pipeline = try mono()
    let voice = seededNoise(count: length, seed: 1)
    try pipeline.addRemoteUser(1, from: try PlaneSource([voice]))
    try pipeline.startAudioRecording(files.path(name))
    try pipeline.runToEnd()
    #expect(try files.read(files.path(name)) == [voice])
  }

  @Test("a recording at a custom rate has exactly floor(in L / M) samples")
  func otherRate() throws {
    let pipeline = try mono()
    try pipeline.addRemoteUser(1, from: try PlaneSource([seededNoise(count: 24_001, seed: 1)]))
    var options = Self.exact
    options.sampleRate = 44_100
    try pipeline.startAudioRecording(files.path("r.wav"), options: options)
    try pipeline.runToEnd()
    #expect(try files.read(files.path("r.wav"))[0].count == 24_001 * 441 / 480)
  }

  @Test("a name that is taken is refused, and no file is made or changed")
  func takenName() throws {
    let pipeline = try mono()
    try pipeline.addRemoteUser(1, from: try PlaneSource([seededNoise(count: length, seed: 1)]))
    let old = try files.write("old.2.wav", [[0.5, 0.25]])
    try pipeline.addRemoteUser(2, from: try PlaneSource([seededNoise(count: length, seed: 2)], uid: 2))
    let error = #expect(throws: EngineError.self) {
      try pipeline.startAudioRecording("\(files.folder)/old.wav", position: .eachUser)
    }
    #expect(error?.message.contains("old.2.wav: this file exists already") == true)
    // Begun before the other was refused; gone when the call returns, so that its name is free again.
    #expect(access("\(files.folder)/old.1.wav", F_OK) != 0)
    try pipeline.startAudioRecording(files.path("old.1.wav"), position: .user(1), options: Self.exact)
    try pipeline.runToEnd()
    #expect(try files.read(old) == [[0.5, 0.25]])
    #expect(try files.read(files.path("old.1.wav")) == [seededNoise(count: length, seed: 1)])
  }

  @Test("an impossible recording is refused with its error code")
  func refusals() throws {
    let pipeline = try mono()
    try pipeline.addRemoteUser(1, from: try PlaneSource([seededNoise(count: 480, seed: 1)]))
    func code(_ body: () throws -> Void) -> EngineError.Code? {
      #expect(throws: EngineError.self, performing: body)?.code
    }
    #expect(code { try pipeline.startAudioRecording(files.path("r.wav"), position: .record) } == .notReady)
    #expect(code { try pipeline.startAudioRecording("\(files.folder)/no/r.wav") } == .invalidArgument)
    #expect(code { try pipeline.startAudioRecording(files.path("r.xyz")) } == .invalidArgument)
    #expect(code { try pipeline.stopAudioRecording(files.path("r.wav")) } == .invalidArgument)
    try pipeline.startAudioRecording(files.path("twice.wav"))
    #expect(code { try pipeline.startAudioRecording(files.path("twice.wav")) } == .invalidArgument)
    try pipeline.runToEnd()
    #expect(code { try pipeline.startAudioRecording(files.path("late.wav")) } == .wrongState)
  }

  @Test("a file that fails is one event, and everything else continues", .shows("R2"))
  func failure() throws {
    signal(SIGPIPE, SIG_IGN)
    let pipeline = try mono()
    let voice = seededNoise(count: length * 4, seed: 1)
    try pipeline.addRemoteUser(1, from: try PlaneSource([voice]))
    let pipe = files.path("gone.wav")
    mkfifo(pipe, 0o600)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    try pipeline.startAudioRecording(pipe, options: Self.exact)
    try pipeline.startAudioRecording(files.path("m.wav"), options: Self.exact)
    close(reader)
    let failures = Guarded<[String]>([])
    pipeline.onEvent { event in
      if case .recordingFailed(let path, let reason) = event.kind {
        failures.withLock { $0.append(path + "|" + reason) }
      }
    }
    try pipeline.runToEnd()
    let told = failures.withLock { $0 }
    #expect(told.count == 1)
    #expect(told.first?.hasPrefix(pipe + "|") == true)
    #expect(told.first?.contains("whoever was reading this output has gone") == true)
    #expect(try files.read(files.path("m.wav")) == [voice])
  }

  @Test("live, a recording is whole once stop has returned", .shows("R1"))
  func live() throws {
    let pipeline = try AudioPipeline(channelCount: 1)
    let voice = seededNoise(count: 480_000, seed: 1)
    try pipeline.addRemoteUser(1, from: try PlaneSource([voice]))
    let path = files.path("live.wav")
    try pipeline.startAudioRecording(path, options: Self.exact)
    let latency = try pipeline.latency()
    let clock = HeldClock(untilNanoseconds: 99 * 10_000_000)
    try pipeline.start(clock: clock)
    clock.waitUntilHeld()
    try pipeline.stopAudioRecording(path)
    #expect(try files.read(path)[0] == Array(voice[..<(100 * 480 - latency)]))
    clock.release()
    pipeline.stop()
  }
}

/// A virtual clock that holds whoever waits for more than a certain time.
private final class HeldClock: EngineClock {
  private let clock = VirtualClock()
  private let limit: Int
  private let held = Doorbell()
  private let freed = Doorbell()
  private let isFree = Atomic<Bool>(false)

  init(untilNanoseconds limit: Int) { self.limit = limit }

  var nowNanoseconds: Int { clock.nowNanoseconds }

  func wait(untilNanoseconds deadline: Int) {
    while deadline > limit, !isFree.load(ordering: .acquiring) {
      held.ring()
      freed.wait(atMostMilliseconds: 1_000)
    }
    clock.wait(untilNanoseconds: deadline)
  }

  func waitUntilHeld() { held.wait(atMostMilliseconds: 60_000) }

  func release() {
    isFree.store(true, ordering: .releasing)
    freed.ring()
  }
}
