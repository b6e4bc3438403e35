import AudioGraph

/// Reads a sound and, at its end, reads it again: the file joined to itself.
///
/// Thread: one at a time, never the audio thread.
final class RepeatingReader: PlaneReader {
  /// Where the samples are.
  enum Sound {
    case file(AudioFileReader)
    case memory(SoundMemory)

    var format: AudioFormat {
      switch self {
      case .file(let reader): reader.format
      case .memory(let memory): memory.format
      }
    }

    /// Samples read so far that were NaN or infinite and became 0.
    var nonFiniteSamples: Int {
      switch self {
      case .file(let reader): reader.nonFiniteSamples
      case .memory(let memory): memory.nonFiniteSamples
      }
    }

    /// What is read, in words.
    var path: String {
      switch self {
      case .file(let reader): reader.path
      case .memory(let memory): memory.path
      }
    }

    /// Samples per channel; nil where only the end will tell.
    var samplesPerChannel: Int? {
      switch self {
      case .file(let reader): reader.samplesPerChannel
      case .memory(let memory): memory.samplesPerChannel
      }
    }
  }

  let format: AudioFormat
  /// True where `read` returns 0 at the end of each pass, once, instead of going on.
  let stopsBetweenPasses: Bool
  /// Samples read in all at which passes ended that nobody has taken note of yet.
  var passEnds: [Int] = []
  /// True once the last pass has been read.
  private(set) var isAtEnd = false
  /// Samples of the first pass that were NaN or infinite and became 0; known at its end.
  private(set) var nonFiniteSamples = 0
  /// True where the file gave fewer samples than it had promised.
  private(set) var wasCutShort = false

  private let sound: Sound
  private var playsLeft: Int?
  private var passCount = 0
  private var position = 0
  private var total = 0
  /// Samples of the first pass, and those of all others.
  private var firstPass = 0
  private var repeated = 0
  private var isBetweenPasses = false

  /// - Parameters:
  ///   - plays: how often it is read; nil for ever.
  ///   - position: the sample that is read first; later passes begin at 0.
  init(_ sound: Sound, plays: Int?, from position: Int, stopsBetweenPasses: Bool) throws(AudioFileError) {
    self.sound = sound
    playsLeft = plays
    self.stopsBetweenPasses = stopsBetweenPasses
    format = sound.format
    try seek(to: position)
  }

  /// Samples per channel of one pass; nil where only the end will tell.
  var samplesPerChannel: Int? { sound.samplesPerChannel }

  func read(into base: UnsafeMutablePointer<Float>, stride: Int, maximumCount: Int) throws(AudioFileError) -> Int {
    isBetweenPasses = false
    while !isAtEnd {
      let got = try readSound(into: base, stride: stride, maximumCount: maximumCount)
      position += got
      total += got
      if passCount == 0 { firstPass += got } else { repeated += got }
      if got == 0 || position == samplesPerChannel { try endPass() }
      if got > 0 || isBetweenPasses { return got }
    }
    return 0
  }

  func cancel() {
    if case .file(let reader) = sound { reader.cancel() }
  }

  /// What was read, and what of it was a repetition.
  func edge(named name: String) -> LedgerEdge {
    var ledger = Ledger()
    ledger.input = firstPass
    ledger.output = total
    ledger.inserted[.loop] = repeated
    return LedgerEdge(name, from: format.sampleRate, to: format.sampleRate, ledger)
  }

  private func endPass() throws(AudioFileError) {
    let isEmpty = position == 0
    if passCount == 0 { nonFiniteSamples = sound.nonFiniteSamples }
    passCount += 1
    if let promised = samplesPerChannel, position < promised { wasCutShort = true }
    passEnds.append(total)
    playsLeft = playsLeft.map { $0 - 1 }
    // A sound without samples would be repeated without end.
    if playsLeft == 0 || isEmpty || wasCutShort {
      isAtEnd = true
    } else {
      try seek(to: 0)
      isBetweenPasses = stopsBetweenPasses
    }
  }

  private func readSound(into base: UnsafeMutablePointer<Float>, stride: Int, maximumCount: Int)
    throws(AudioFileError) -> Int
  {
    switch sound {
    case .file(let reader): try reader.read(into: base, stride: stride, maximumCount: maximumCount)
    case .memory(let memory):
      memory.read(from: position, into: base, stride: stride, maximumCount: maximumCount)
    }
  }

  private func seek(to position: Int) throws(AudioFileError) {
    self.position = min(position, samplesPerChannel ?? position)
    if case .file(let reader) = sound { try reader.seek(to: self.position) }
  }
}
