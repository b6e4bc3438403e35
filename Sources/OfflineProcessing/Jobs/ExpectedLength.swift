import AudioFiles
import AudioGraph
import Playback

#if canImport(Glibc)
  import Glibc
#endif

/// When the last of several sounds ends.
struct ExpectedLength {
  /// Nil once a sound has been added of which only its end will tell.
  private(set) var seconds: Double? = 0

  /// - Parameters:
  ///   - start: when it begins, in seconds.
  ///   - plays: how often it is heard, the first time without `skipped` seconds.
  mutating func add(_ reader: AudioFileReader?, from start: Double, plays: Int = 1, without skipped: Double = 0) {
    guard let reader, let count = reader.samplesPerChannel, let known = seconds else {
      seconds = nil
      return
    }
    let once = Double(count) / Double(reader.format.sampleRate)
    seconds = max(known, start + Double(plays) * once - min(skipped, once))
  }

  /// What is repeated for ever lasts as long as all else.
  mutating func add(_ music: FileProcessing.Music, _ reader: AudioFileReader?) {
    if let plays = music.repetition.plays { add(reader, from: 0, plays: plays) }
  }

  /// As music.
  mutating func add(_ effect: FileProcessing.Effect, _ reader: AudioFileReader?) {
    guard let plays = effect.sound.plays else { return }
    add(
      reader, from: effect.startSeconds, plays: plays, without: effect.sound.start / .seconds(1))
  }
}

extension FileProcessing {
  /// When the last voice, music and effect end, in seconds, by looking at the files; nil where one of them only knows
  /// at its end, cannot be read, or is a pipe, which can be read but once.
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
