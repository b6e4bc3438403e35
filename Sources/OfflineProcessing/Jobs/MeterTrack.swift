import AudioFiles
import AudioGraph
import FrameObservers
import Metering

/// Combines the levels of frames into those of intervals.
struct MeterTrack {
  let intervals = SpooledRows<LevelInterval>()
  /// Level of the whole file.
  private(set) var total = FrameLevel()
  /// Index of the next tick to add.
  private(set) var nextTick = 0
  private let schedule: FrameSchedule
  private let framesPerInterval: Int
  private let keepsIntervals: Bool
  private var level = FrameLevel()
  private var frames = 0
  private var voiceFrames = 0
  private var allFrames = 0
  private var allVoiceFrames = 0
  /// Segments of speech; nil if they are not wanted.
  private var segments: SegmentCollector?

  init(schedule: FrameSchedule, framesPerInterval: Int, keepsIntervals: Bool, segments: SegmentCollector? = nil) {
    self.segments = segments
    self.schedule = schedule
    self.keepsIntervals = keepsIntervals
    self.framesPerInterval = framesPerInterval
  }

  /// Whether more than half of the frames are voice.
  var hasVoice: Bool { 2 * allVoiceFrames > nextTick }

  /// Duration of spans that were left out as keystrokes or knocks, in samples per channel.
  var impulsiveCount: Int { segments?.impulsiveCount ?? 0 }

  /// Share of the file's frames that are voice, 0 to 1; 0 for an empty file.
  var speechShare: Double { allFrames == 0 ? 0 : Double(allVoiceFrames) / Double(allFrames) }

  /// Adds the next tick; samples behind `end` are not part of the file.
  mutating func add(_ next: FrameLevel?, end: Int?) {
    let position = schedule.position(ofFrame: nextTick)
    nextTick += 1
    guard var next else { return }
    let length = schedule.samplesPerChannel(ofFrame: nextTick - 1)
    let valid = max(0, min(length, (end ?? .max) - position))
    guard valid > 0 else { return }
    // The rest of the last frame is zeros, which add nothing to the squares.
    next.sampleCount = next.sampleCount / length * valid
    level.merge(next)
    total.merge(next)
    segments?.add(isVoice: next.isVoice, meanSquare: next.meanSquare, at: position..<position + valid)
    frames += 1
    allFrames += 1
    if next.isVoice {
      voiceFrames += 1
      allVoiceFrames += 1
    }
    if frames == framesPerInterval { close() }
  }

  /// Closes an interval that contains the end of the file.
  ///
  /// - Throws: errors of `SpooledRows.seal`.
  mutating func finish() throws(StoredRowsError) {
    if frames > 0 { close() }
    try intervals.seal()
  }

  /// Returns the segments of speech of a file of `samplesPerChannel`; nil if they are not wanted. Call it once.
  ///
  /// - Throws: errors of `SpooledRows.seal`.
  mutating func finishSegments(samplesPerChannel: Int) throws(StoredRowsError) -> SpooledRows<SpeechSegment>? {
    try segments?.finish(samplesPerChannel: samplesPerChannel)
  }

  private mutating func close() {
    if keepsIntervals {
      let start = intervals.count * framesPerInterval
      intervals.append(
        LevelInterval(timeSeconds: Double(start) / 100, level: level, isVoice: 2 * voiceFrames > frames))
    }
    level = FrameLevel()
    frames = 0
    voiceFrames = 0
  }
}
