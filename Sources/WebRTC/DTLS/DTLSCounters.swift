/// Counts of a DTLS connection.
public struct DTLSCounters: Hashable, Sendable, BitwiseCopyable {
  /// Datagrams received, of any content.
  public internal(set) var receivedDatagrams = 0
  /// Bytes received, including those of other protocols that the caller has noted.
  public internal(set) var receivedBytes = 0
  /// Datagrams handed out to be sent.
  public internal(set) var sentDatagrams = 0
  /// Bytes handed out to be sent.
  public internal(set) var sentBytes = 0
  /// Records that were ignored: application data, other versions, false lengths, too many encrypted ones too early.
  public internal(set) var ignoredRecords = 0
  /// Flights sent again because the timer expired.
  public internal(set) var retransmissions = 0
  /// Datagrams that a server held back, since they would have been more than three times the received bytes.
  public internal(set) var heldBackDatagrams = 0
  /// Bytes of the datagrams held back.
  public internal(set) var heldBackBytes = 0
  /// Datagrams dropped because the caller did not take those before.
  public internal(set) var droppedDatagrams = 0
  /// First messages that a server could not read, and after which it waited for another.
  public internal(set) var restarts = 0
}
