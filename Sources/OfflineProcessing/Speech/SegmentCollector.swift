import Metering
import Platform

/// Divides a sound into segments of speech, frame by frame.
struct SegmentCollector {
  private let rows = SpooledRows<SpeechSegment>()
  private let sampleRate: Int
  /// In samples per channel.
  private let shortest: Int
  private let padding: Int
  private let leastSteadyShare: Double
  private var segmenter: SpeechSegmenter
  /// Start and end of the newest speech, without padding.
  private var start = 0
  private var end = 0
  private var steadiness = Steadiness()
  /// Samples per channel of spans that were left out for lack of steady sound.
  private(set) var impulsiveCount = 0
  /// Padded start and unpadded end of the last segment; nil before the first. The next one decides about its padding.
  private var pending: Range<Int>?

  init(_ settings: SpeechSegmentation, sampleRate: Int) {
    func samples(_ duration: Duration) -> Int { Int((duration / .seconds(1) * Double(sampleRate)).rounded()) }
    self.sampleRate = sampleRate
    shortest = samples(settings.shortestSegment)
    padding = samples(settings.padding)
    leastSteadyShare = settings.leastSteadyShare
    segmenter = SpeechSegmenter(pause: settings.longestPause)
  }

  /// Takes the next frame of 10 ms, which is at `range` in the sound.
  mutating func add(isVoice: Bool, meanSquare: Double, at range: Range<Int>) {
    switch segmenter.take(isVoice: isVoice) {
    case .began: (start, steadiness) = (range.lowerBound, Steadiness())
    case .ended: close()
    case nil: break
    }
    if isVoice { end = range.upperBound }
    if segmenter.isSpeech { steadiness.add(meanSquare: isVoice ? meanSquare : nil) }
  }

  /// Returns the segments of a sound of `samplesPerChannel`. Call it once.
  ///
  /// - Throws: Errors of `SpooledRows.seal`.
  mutating func finish(samplesPerChannel: Int) throws(StoredRowsError) -> SpooledRows<SpeechSegment> {
    if segmenter.isSpeech { close() }
    if let last = pending { append(last.lowerBound..<min(samplesPerChannel, last.upperBound + padding)) }
    try rows.seal()
    return rows
  }

  private mutating func close() {
    guard end - start >= shortest else { return }
    guard steadiness.share >= leastSteadyShare else {
      impulsiveCount += end - start
      return
    }
    var paddedStart = max(0, start - padding)
    if let last = pending {
      let gap = start - last.upperBound
      append(last.lowerBound..<last.upperBound + min(padding, gap / 2))
      paddedStart = start - min(padding, gap - gap / 2)
    }
    pending = paddedStart..<end
  }

  private func append(_ range: Range<Int>) { rows.append(SpeechSegment(range, sampleRate: sampleRate)) }
}
