public import FrameObservers
public import OfflineProcessing
import PitchDetection

extension FileAnalysis {
  /// Whether the pitch of the voice is measured, too, by `PitchTracker`. All channels count as one voice.
  public var measuresPitch: Bool {
    get { pitchTracker != nil }
    set { pitchTracker = newValue ? RecordingPitch.make : nil }
  }
}

extension PitchTrack {
  /// Creates a track with a `PitchTracker`; the parameters are those of `init(at:uid:keepsRows:onRow:tracker:)`.
  public convenience init(
    at position: ObserverPosition = .beforeMixing, uid: UInt32? = 1, keepsRows: Bool = true,
    onRow: (@Sendable (PitchRow) -> Void)? = nil
  ) {
    self.init(at: position, uid: uid, keepsRows: keepsRows, onRow: onRow, tracker: RecordingPitch.make)
  }
}

/// A `PitchTracker` behind the protocol of offline jobs.
private final class RecordingPitch: PitchTracking {
  static let make: PitchTrack.MakeTracker = { sampleRate in try RecordingPitch(sampleRate: sampleRate) }

  private var tracker: PitchTracker

  init(sampleRate: Int) throws { tracker = try PitchTracker(sampleRate: sampleRate) }

  func process(_ samples: UnsafePointer<Float>, samplesPerChannel: Int) -> PitchRow? {
    tracker.process(samples, samplesPerChannel: samplesPerChannel).map(PitchRow.init)
  }

  func finish() -> PitchRow? { tracker.finish().map(PitchRow.init) }
}

extension PitchRow {
  fileprivate init(_ point: PitchPoint) {
    self.init(seconds: point.seconds, hertz: point.estimate.hertz, voicing: point.estimate.voicing)
  }
}
