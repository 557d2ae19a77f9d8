"""What readers of traces and live capture share: records, messages, usage dialects, our JSONL."""
