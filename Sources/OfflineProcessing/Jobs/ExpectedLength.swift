import AudioFiles
import AudioGraph
import Playback

#if canImport(Glibc)
  import Glibc
#endif

/// Computes the end of the last of several sounds.
struct ExpectedLength {
  /// End in seconds; nil once a sound of unknown length has been added.
  private(set) var seconds: Double? = 0

  /// Adds a sound.
  ///
  /// - Parameters:
  ///   - reader: reader of the sound; nil if it cannot be read.
  ///   - start: start of the sound, in seconds.
  ///   - plays: number of times that it is heard, the first time without `skipped` seconds.
  ///   - skipped: seconds that the first time leaves out.
  mutating func add(_ reader: AudioFileReader?, from start: Double, plays: Int = 1, without skipped: Double = 0) {
    guard let reader, let count = reader.samplesPerChannel, let known = seconds else {
      seconds = nil
      return
    }
    let once = Double(count) / Double(reader.format.sampleRate)
    seconds = max(known, start + Double(plays) * once - min(skipped, once))
  }

  /// Adds music; music that repeats forever lasts as long as the other sounds.
  mutating func add(_ music: FileProcessing.Music, _ reader: AudioFileReader?) {
    if let plays = music.repetition.plays { add(reader, from: 0, plays: plays) }
  }

  /// Adds an effect; an effect that repeats forever lasts as long as the other sounds.
  mutating func add(_ effect: FileProcessing.Effect, _ reader: AudioFileReader?) {
    guard let plays = effect.sound.plays else { return }
    add(
      reader, from: effect.startSeconds, plays: plays, without: effect.sound.start / .seconds(1))
  }
}

extension FileProcessing {
  /// Opens the files and returns the end of the last voice, music and effect, in seconds.
  ///
  /// The result is nil if the length of one is unknown before its end, or if one cannot be read. It is nil for a pipe,
  /// too, which can be read only once.
  public func expectedSeconds() -> Double? {
    var length = ExpectedLength()
    switch input {
    case .none: break
    case .path(let path): length.add(Self.file(path), from: 0)
    case .descriptor: return nil
    }
    for speaker in speakers { length.add(Self.file(speaker.path), from: speaker.startSeconds) }
    if let localPath { length.add(Self.file(localPath), from: 0) }
    if let music { length.add(music, Self.file(music.path)) }
    for effect in effects { length.add(effect, Self.file(effect.sound.path)) }
    return length.seconds
  }

  private static func file(_ path: String) -> AudioFileReader? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return try? AudioFileReader.open(path: path)
  }
}
