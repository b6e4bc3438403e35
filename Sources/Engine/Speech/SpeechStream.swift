public import FrameObservers
import Metering

/// The speech of one user as an `AsyncSequence`: its beginning, its frames with a pre-roll, and its end.
///
/// Voice activity is detected in the loop, not on the audio thread. One loop only.
public struct SpeechStream: AsyncSequence, Sendable {
  /// A part of the speech.
  public enum Element: Sendable {
    /// Speech begins. The frames of the pre-roll and those of the speech follow.
    case began
    /// A frame of the pre-roll or of the speech, in order.
    case frame(AudioFrameCopy)
    /// Speech has ended: the longest pause has passed.
    case ended
  }

  private let frames: FrameStream
  private let preRoll: Duration
  private let pause: Duration

  init(_ frames: FrameStream, preRoll: Duration, pause: Duration) {
    self.frames = frames
    self.preRoll = preRoll
    self.pause = pause
  }

  /// Ends the sequence after the frames that it holds. Thread: any.
  public func cancel() { frames.cancel() }

  public func makeAsyncIterator() -> Iterator {
    Iterator(frames: frames.makeAsyncIterator(), preRoll: preRoll, segmenter: SpeechSegmenter(pause: pause))
  }

  /// Fetches part after part.
  public struct Iterator: AsyncIteratorProtocol {
    private var frames: FrameStream.Iterator
    private let preRoll: Duration
    private var segmenter: SpeechSegmenter
    private var detector: SpeechFrameDetector?
    /// Newest frames before the speech.
    private var waiting: [AudioFrameCopy] = []
    private var parts: [Element] = []

    init(frames: FrameStream.Iterator, preRoll: Duration, segmenter: SpeechSegmenter) {
      self.frames = frames
      self.preRoll = preRoll
      self.segmenter = segmenter
    }

    /// Returns the next part; nil after the last one.
    public mutating func next() async -> Element? {
      while parts.isEmpty {
        guard let frame = await frames.next() else {
          guard segmenter.isSpeech else { return nil }
          while segmenter.take(isVoice: false) == nil {}
          return .ended
        }
        take(frame)
      }
      return parts.removeFirst()
    }

    private mutating func take(_ frame: AudioFrameCopy) {
      let wasSpeech = segmenter.isSpeech
      var detector = detector ?? SpeechFrameDetector(frame)
      var changes: [SpeechSegmenter.Change] = []
      detector.detect(frame) { isVoice in
        if let change = segmenter.take(isVoice: isVoice) { changes.append(change) }
      }
      self.detector = detector
      if wasSpeech { parts.append(.frame(frame)) } else { keep(frame) }
      for change in changes {
        switch change {
        case .began:
          parts.append(.began)
          parts += waiting.map { .frame($0) }
          waiting = []
        case .ended: parts.append(.ended)
        }
      }
    }

    /// Keeps a frame for the pre-roll of the speech that may follow; the newest may contain the beginning.
    private mutating func keep(_ frame: AudioFrameCopy) {
      waiting.append(frame)
      let length = Duration.seconds(frame.samplesPerChannel) / frame.sampleRate
      while waiting.count > 1, length * (waiting.count - 1) > preRoll + .milliseconds(20) { waiting.removeFirst() }
    }
  }
}
