package import AudioFiles
package import AudioGraph

/// Reads a sound and, at its end, reads it again, without a gap.
///
/// Thread: one at a time, never the audio thread.
package final class RepeatingReader: PlaneReader {
  /// Source of the samples.
  package enum Sound {
    case file(AudioFileReader)
    case memory(SoundMemory)

    package var format: AudioFormat {
      switch self {
      case .file(let reader): reader.format
      case .memory(let memory): memory.format
      }
    }

    /// The loudspeakers of the sound's channels, as in a frame's header.
    var speakers: UInt32 {
      switch self {
      case .file(let reader): reader.speakers
      case .memory(let memory): memory.speakers
      }
    }

    /// Samples read so far that were NaN or infinite and became 0.
    var nonFiniteSamples: Int {
      switch self {
      case .file(let reader): reader.nonFiniteSamples
      case .memory(let memory): memory.nonFiniteSamples
      }
    }

    /// Name of the sound, for messages.
    var path: String {
      switch self {
      case .file(let reader): reader.path
      case .memory(let memory): memory.path
      }
    }

    /// Samples per channel; nil if unknown before the end.
    package var samplesPerChannel: Int? {
      switch self {
      case .file(let reader): reader.samplesPerChannel
      case .memory(let memory): memory.samplesPerChannel
      }
    }
  }

  package let format: AudioFormat
  /// Whether `read` returns 0 at the end of each pass, once, instead of continuing.
  let stopsBetweenPasses: Bool
  /// Ends of passes that no reader has taken yet, in samples read in all.
  var passEnds: [Int] = []
  /// Whether the last pass has been read.
  private(set) var isAtEnd = false
  /// Samples of the first pass that were NaN or infinite and became 0; known at its end.
  private(set) var nonFiniteSamples = 0
  /// Reason for an early end of the sound, which is then the last pass; nil if it did not end early.
  private(set) var failure: AudioFileError?

  private let sound: Sound
  /// Reader of the file; nil for a sound in memory.
  private let file: TruncationFade?
  private var playsLeft: Int?
  private var passCount = 0
  private var position = 0
  private var total = 0
  /// Samples of the first pass; `repeated` counts those of all others.
  private var firstPass = 0
  private var repeated = 0
  private var isBetweenPasses = false

  /// - Parameters:
  ///   - sound: sound to read.
  ///   - plays: number of passes; nil for endless repetition.
  ///   - position: first sample of the first pass; later passes begin at 0.
  ///   - stopsBetweenPasses: whether `read` returns 0 once at the end of each pass.
  init(_ sound: Sound, plays: Int?, from position: Int, stopsBetweenPasses: Bool) throws(AudioFileError) {
    self.sound = sound
    file = if case .file(let reader) = sound { TruncationFade(reader) } else { nil }
    playsLeft = plays
    self.stopsBetweenPasses = stopsBetweenPasses
    format = sound.format
    try seek(to: position)
  }

  /// Samples per channel of one pass; nil if unknown before the end.
  var samplesPerChannel: Int? { sound.samplesPerChannel }

  package func read(into base: UnsafeMutablePointer<Float>, stride: Int, maximumCount: Int) -> Int {
    isBetweenPasses = false
    while !isAtEnd {
      let got = readSound(into: base, stride: stride, maximumCount: maximumCount)
      position += got
      total += got
      if passCount == 0 { firstPass += got } else { repeated += got }
      if got == 0 || position == samplesPerChannel { endPass() }
      if got > 0 || isBetweenPasses { return got }
    }
    return 0
  }

  package func cancel() {
    file?.cancel()
  }

  /// Returns the counts of samples read and of those that were repetitions.
  func edge(named name: String) -> LedgerEdge {
    var ledger = Ledger()
    ledger.input = firstPass
    ledger.output = total
    ledger.inserted[.loop] = repeated
    return LedgerEdge(name, from: format.sampleRate, to: format.sampleRate, ledger)
  }

  private func endPass() {
    let isEmpty = position == 0
    if passCount == 0 { nonFiniteSamples = sound.nonFiniteSamples }
    passCount += 1
    failure = soundFailure
    passEnds.append(total)
    playsLeft = playsLeft.map { $0 - 1 }
    // A sound without samples would be repeated without end.
    guard playsLeft != 0, !isEmpty, failure == nil else {
      isAtEnd = true
      return
    }
    do {
      try seek(to: 0)
      isBetweenPasses = stopsBetweenPasses
    } catch {
      failure = error
      isAtEnd = true
    }
  }

  private var soundFailure: AudioFileError? {
    switch sound {
    case .file: file?.failure
    case .memory(let memory): memory.isCutShort ? AudioFileError(.shrunk, path: memory.path) : nil
    }
  }

  private func readSound(into base: UnsafeMutablePointer<Float>, stride: Int, maximumCount: Int) -> Int {
    switch sound {
    case .file: file!.read(into: base, stride: stride, maximumCount: maximumCount)
    case .memory(let memory):
      memory.read(from: position, into: base, stride: stride, maximumCount: maximumCount)
    }
  }

  private func seek(to position: Int) throws(AudioFileError) {
    self.position = min(position, samplesPerChannel ?? position)
    try file?.seek(to: self.position)
  }
}
