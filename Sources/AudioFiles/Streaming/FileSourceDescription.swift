public import AudioGraph

/// A file that is played into a pipeline, converted to the pipeline's rate.
public struct FileSourceDescription: AudioSourceDescription {
  private enum Input {
    case path(String, RawFormat?)
    case reader(HandedOverReader)
  }

  private static let longestDelay = Duration.seconds(10_000_000)

  private let input: Input
  private let delay: Duration

  fileprivate init(path: String, raw: RawFormat?, delay: Duration) {
    input = .path(path, raw)
    self.delay = delay
  }

  fileprivate init(_ reader: AudioFileReader, delay: Duration) {
    input = .reader(HandedOverReader(reader))
    self.delay = delay
  }

  public func makeSource(uid: UInt32, in context: PipelineContext) throws -> FileSource {
    guard delay >= .zero, delay <= Self.longestDelay else {
      throw EngineError(.invalidArgument, "a file cannot begin after \(delay); use 0 to \(Self.longestDelay)")
    }
    let reader =
      switch input {
      case .path(let path, let raw): try AudioFileReader.open(path: path, raw: raw)
      case .reader(let reader): try reader.take()
      }
    let seconds = delay.components
    let fraction = Double(seconds.attoseconds) * 1e-18 * Double(context.sampleRate)
    return try FileSource(
      reader, sampleRate: context.sampleRate, uid: uid,
      startPosition: Int(seconds.seconds) * context.sampleRate + Int(fraction.rounded()), ready: context.ready)
  }
}

extension AudioSourceDescription where Self == FileSourceDescription {
  /// Describes the file at `path`.
  ///
  /// - Parameters:
  ///   - path: Path of a file of any kind that `AudioFileReader` reads.
  ///   - raw: Format of samples without a header; nil: the file has one.
  ///   - delay: Silence before the file begins, at least 0.
  public static func file(_ path: String, raw: RawFormat? = nil, after delay: Duration = .zero) -> Self {
    FileSourceDescription(path: path, raw: raw, delay: delay)
  }

  /// Describes a file that is open already; the pipeline takes it over.
  public static func file(_ reader: AudioFileReader, after delay: Duration = .zero) -> Self {
    FileSourceDescription(reader, delay: delay)
  }
}

/// An open file for one source.
private final class HandedOverReader {
  private var reader: AudioFileReader?

  init(_ reader: AudioFileReader) { self.reader = reader }

  func take() throws(EngineError) -> AudioFileReader {
    guard let taken = reader.take() else {
      throw EngineError(.invalidArgument, "the open file is played by another source already; open it again")
    }
    return taken
  }
}
