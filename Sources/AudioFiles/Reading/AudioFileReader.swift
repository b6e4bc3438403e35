public import AudioGraph
import Glibc

/// Reads sound as planar Float32, from a file or a pipe.
///
/// ```
/// path ──▶ first bytes ─┬▶ WAV: own header check, own conversion ─┐
///                       └▶ FLAC, Ogg, Opus, MP3, AIFF, AU, CAF, W64: libsndfile ─▶ planes of Float32
/// pipe ──▶ WAV, or raw samples of a stated format ────────────────┘
/// ```
/// 8-, 16- and 24-bit samples come out exactly as n / 2^(bits - 1), floats as they are; NaN and infinities become 0
/// and are counted, denormals become 0. 32-bit integers and 64-bit floats are rounded, and `warnings` says so.
///
/// Memory: at most 256 KiB, whatever the file's length and whatever its header says.
/// Thread: one at a time; calls read from the disk and may wait, so never on the audio thread.
public final class AudioFileReader {
  /// The path, or the name that was given to the stream.
  public let path: String
  /// What kind of file it is.
  public let container: AudioContainer
  /// Rate and channels.
  public let format: AudioFormat
  /// The loudspeakers of its channels, bit by bit as WAVEFORMATEXTENSIBLE has them; 0 where it does not say them, or
  /// they can be neither mixed down nor measured.
  public let speakers: UInt32
  /// How the file stores its samples; for a lossy codec `int16`.
  public let sampleFormat: SampleFormat
  /// What to tell the user; complete once `read` has returned 0.
  public internal(set) var warnings: [AudioFileWarning] = []
  /// Samples per channel that were read so far, since the beginning or the last `seek`'s target.
  public private(set) var position = 0

  private let source: any SampleSource
  /// Tags of the file; empty for a pipe of WAV.
  public internal(set) var tags = AudioTags()
  /// Chunks of a WAV file that say something of the sound and that no output keeps, such as `bext` and `cue`.
  public internal(set) var droppedChunks: [String] = []
  /// True where the header promises more than there is.
  var isKnownToBeCutShort = false
  /// The warning that the end of the file replaces by one that says more.
  var provisionalWarning: AudioFileWarning?
  let input: InputDescriptor
  private var isAtEnd = false
  /// Why nobody knows which sample comes next.
  private var lost: AudioFileError?

  init(
    path: String, container: AudioContainer, format: AudioFormat, sampleFormat: SampleFormat,
    source: any SampleSource, input: InputDescriptor, speakers: UInt32 = 0
  ) {
    self.speakers = speakers
    self.input = input
    self.path = path
    self.container = container
    self.format = format
    self.sampleFormat = sampleFormat
    self.source = source
  }

  /// Samples per channel of the whole file; nil where only the end will tell.
  ///
  /// For a pipe it is what the header promises; for MP3 it may be off by the encoder's padding.
  public var samplesPerChannel: Int? { source.samplesPerChannel }

  /// Samples so far that were NaN or infinite and became 0.
  public var nonFiniteSamples: Int { source.nonFiniteSamples }

  /// True where there are fewer samples than the file promises: known from the first of them on, or once `read` has
  /// returned 0.
  package var isCutShort: Bool { isKnownToBeCutShort || source.isCutShort }

  /// Whether `seek` works: in files, not in pipes.
  public var isSeekable: Bool { source.isSeekable }

  /// Reads up to `maximumCount` samples of each channel into planes that begin `stride` samples apart at `base`.
  ///
  /// A file gives all that is asked for until its end; a pipe gives what has come, at least one sample.
  /// Cost: about 0.35 ns a sample of 16 bit, of which the kernel takes two thirds. Short calls cost little more: the
  /// file is read in large blocks.
  /// Returns: samples per channel; 0 at the end.
  public func read(
    into base: UnsafeMutablePointer<Float>, stride: Int, maximumCount: Int
  ) throws(AudioFileError) -> Int {
    guard maximumCount > 0 else { return 0 }
    if let lost { throw lost }
    let count = try source.read(into: base, stride: stride, maximumCount: maximumCount)
    position += count
    if count == 0, !isAtEnd {
      isAtEnd = true
      replaceProvisionalWarning()
      warnings += source.warningsAtEnd()
      warnOfJoinedFiles()
      warnOfSamplesBehindLength()
      if nonFiniteSamples > 0 {
        let message = AudioFileWarning.notFinite(nonFiniteSamples)
        warnings.append(AudioFileWarning(.notFinite, message, at: source.firstNonFinite ?? 0))
      }
    }
    return count
  }

  /// Lets a `read` that waits for a pipe throw `cancelled`. Thread: any.
  public func cancel() { input.cancel() }

  /// Goes to the sample at `position`, counted from the first of each channel, at most to the end.
  ///
  /// Only where `isSeekable`. Throws: where a damaged file has no way there. `read` then goes on where it
  /// was, or throws the same where that is lost as well.
  public func seek(to position: Int) throws(AudioFileError) {
    precondition(isSeekable, "a pipe cannot go back")
    precondition(position >= 0, "a position is not negative")
    let target = min(position, samplesPerChannel ?? position)
    do {
      try source.seek(to: target)
    } catch {
      // What reads goes on where it was; where that cannot be had either, it is told so.
      lost = (try? source.seek(to: self.position)) == nil ? error : nil
      throw error
    }
    lost = nil
    self.position = target
  }
}
