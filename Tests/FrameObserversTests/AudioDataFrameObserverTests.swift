import AudioGraph
import FrameObservers
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AudioDataFrameObserverTests {
  private func rig(sampleRate: Int = 48_000) throws -> ObserverRig {
    let rig = try ObserverRig(sampleRate: sampleRate)
    for position in ObserverPosition.each where position != .beforeMixing {
      try rig.addLane(FrameOrigin(position: position), playing: [[Float](repeating: 0.25, count: sampleRate)])
    }
    for (channel, uid) in [("one", UInt32(7)), ("a channel with a long name", 7), ("one", 8)] {
      try rig.addLane(
        FrameOrigin(position: .beforeMixing, channelID: channel, uid: uid),
        playing: [[Float](repeating: 0.25, count: sampleRate)])
    }
    return rig
  }

  @Test("each position in the mask calls its own method once a frame", .shows("F1"))
  func methods() throws {
    let rig = try rig()
    let observer = Recording()
    let registration = try rig.add(.observer(observer, mask: ObserverPosition(ObserverPosition.each)))
    rig.tick(2)
    let each = ["record", "playback", "mixed", "ear", "before 7", "before 7", "before 8"]
    #expect(observer.calls.sorted() == (each + each).sorted())
    observer.clear()
    registration.mask = .mixed
    rig.tick(1)
    #expect(observer.calls == ["mixed"])
  }

  @Test("without a mask an observer gets record and playback", .shows("F8"))
  func standard() throws {
    let rig = try rig()
    let observer = Recording()
    try rig.add(.observer(observer))
    rig.tick(1)
    #expect(observer.calls.sorted() == ["playback", "record"])
  }

  @Test("the flag for several channels selects the method at each frame", .shows("F6"))
  func severalChannels() throws {
    let rig = try rig()
    let observer = Recording()
    try rig.add(.observer(observer, mask: .beforeMixing))
    for isWanted in [false, true, true, false] {
      observer.clear()
      observer.isSeveralWanted = isWanted
      rig.tick(1)
      #expect(
        observer.calls.sorted()
          == (isWanted
            ? ["before 7 in a channel with a long name", "before 7 in one", "before 8 in one"]
            : ["before 7", "before 7", "before 8"]))
    }
  }

  @Test("an observer without methods changes nothing at any position")
  func defaults() throws {
    final class Nothing: AudioDataFrameObserver {}
    final class NothingOfSeveral: AudioDataFrameObserver { var isMultipleChannelFrameWanted: Bool { true } }
    let rig = try rig()
    let all = ObserverPosition(ObserverPosition.each)
    let registrations = [
      try rig.add(.observer(Nothing(), mask: all)), try rig.add(.observer(NothingOfSeveral(), mask: all)),
    ]
    rig.tick(3)
    for lane in rig.lanes { #expect(lane.collector.planes[0] == [Float](repeating: 0.25, count: 1_440)) }
    for registration in registrations {
      #expect(registration.durations(at: .beforeMixing)?.count == 9)
      #expect(registration.durations(at: .mixed)?.count == 3)
    }
  }

  @Test("params are requested once, and each sets its position's format", .shows("F10"))
  func params() throws {
    let rig = try rig()
    let observer = Formatted()
    try rig.add(.observer(observer, mask: ObserverPosition(ObserverPosition.each)))
    rig.tick(10)
    #expect(observer.questions == 5)
    let expected: [ObserverPosition: [Int]] = [
      .record: [8_000, 1, 80], .playback: [16_000, 2, 160], .mixed: [24_000, 1, 240], .earMonitoring: [32_000, 1, 320],
      .beforeMixing: [44_100, 1, 441],
    ]
    #expect(observer.formats == expected)
  }

  @Test("samples are written with read-write params, not by the returned Bool", .shows("F15"))
  func writing() throws {
    let rig = try rig()
    try rig.add(.observer(Writer(), mask: [.record, .playback]))
    rig.tick(3)
    #expect(
      rig.lanes.first { $0.source.position == .record }?.collector.planes[0] == [Float](repeating: 0.5, count: 1_440))
    #expect(
      rig.lanes.first { $0.source.position == .playback }?.collector.planes[0] == [Float](repeating: 0.25, count: 1_440)
    )
  }
}

private final class Recording: AudioDataFrameObserver {
  private let log = Guarded<[String]>([])
  private let several = Atomic<Bool>(false)
  var calls: [String] { log.withLock { $0 } }
  func clear() { log.withLock { $0 = [] } }
  var isSeveralWanted: Bool {
    get { several.load(ordering: .relaxed) }
    set { several.store(newValue, ordering: .relaxed) }
  }

  private func note(_ name: String) -> Bool {
    log.withLock { $0.append(name) }
    return false
  }

  var isMultipleChannelFrameWanted: Bool { isSeveralWanted }
  func onRecordAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { note("record") }
  func onPlaybackAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { note("playback") }
  func onMixedAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { note("mixed") }
  func onEarMonitoringAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { note("ear") }
  func onPlaybackAudioFrameBeforeMixing(_ frame: inout MutableAudioFrame, uid: UInt32) -> Bool { note("before \(uid)") }
  func onPlaybackAudioFrameBeforeMixingEx(
    _ frame: inout MutableAudioFrame, channelID: String, uid: UInt32
  ) -> Bool { note("before \(uid) in \(channelID)") }
}

private final class Formatted: AudioDataFrameObserver {
  private let asked = Atomic<Int>(0)
  private let seen = Guarded<[ObserverPosition: [Int]]>([:])
  var questions: Int { asked.load(ordering: .relaxed) }
  var formats: [ObserverPosition: [Int]] { seen.withLock { $0 } }

  private func params(_ rate: Int, _ channels: Int = 1) -> AudioParams? {
    asked.wrappingAdd(1, ordering: .relaxed)
    return try? AudioParams(sampleRate: rate, channelCount: channels, samplesPerCall: rate * channels / 100)
  }

  private func note(_ position: ObserverPosition, _ frame: borrowing MutableAudioFrame) -> Bool {
    let format = [frame.sampleRate, frame.channelCount, frame.samplesPerChannel]
    seen.withLock { $0[position] = format }
    return true
  }

  var recordAudioParams: AudioParams? { params(8_000) }
  var playbackAudioParams: AudioParams? { params(16_000, 2) }
  var mixedAudioParams: AudioParams? { params(24_000) }
  var earMonitoringAudioParams: AudioParams? { params(32_000) }
  var beforeMixingAudioParams: AudioParams? { params(44_100) }
  func onRecordAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { note(.record, frame) }
  func onPlaybackAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { note(.playback, frame) }
  func onMixedAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { note(.mixed, frame) }
  func onEarMonitoringAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { note(.earMonitoring, frame) }
  func onPlaybackAudioFrameBeforeMixing(_ frame: inout MutableAudioFrame, uid: UInt32) -> Bool {
    note(.beforeMixing, frame)
  }
}

private final class Writer: AudioDataFrameObserver {
  var recordAudioParams: AudioParams? {
    try? AudioParams(sampleRate: 48_000, channelCount: 1, access: .readWrite, samplesPerCall: 480)
  }

  private func double(_ frame: inout MutableAudioFrame) -> Bool {
    var samples = frame.samples
    for index in samples.indices { samples[index] *= 2 }
    return false
  }

  func onRecordAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { double(&frame) }
  func onPlaybackAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { double(&frame) }
}
