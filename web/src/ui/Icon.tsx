// Drawn in one stroke, in the colour of the words beside them.

const PATHS = {
  menu: "M4 6h16M4 12h16M4 18h16",
  plus: "M12 5v14M5 12h14",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM20 20l-4-4",
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  close: "M6 6l12 12M18 6L6 18",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  panel: "M4 5h16v14H4zM14 5v14",
  copy: "M9 9h10v10H9zM5 15V5h10",
  down: "M12 4v12M7 11l5 5 5-5M5 20h14",
  up: "M12 20V8M7 13l5-5 5 5M5 4h14",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  again: "M4 12a8 8 0 0 1 14-5l2 2M20 4v5h-5M20 12a8 8 0 0 1-14 5l-2-2M4 20v-5h5",
  good: "M7 11v9H4v-9zM7 11l4-7c1.500 0 2 1 2 2.500V10h5.500c1 0 1.700 1 1.400 2l-1.700 6.500c-.2.900-1 1.500-1.900 1.500H7",
  poor: "M17 13V4h3v9zM17 13l-4 7c-1.500 0-2-1-2-2.500V14H5.500c-1 0-1.700-1-1.400-2l1.700-6.500C6 4.600 6.800 4 7.700 4H17",
  share: "M12 15V4M8 8l4-4 4 4M5 12v8h14v-8",
  clip: "M20 11l-8.500 8.500a5 5 0 0 1-7-7L13 4a3.500 3.500 0 0 1 5 5l-8.500 8.500a2 2 0 0 1-3-3L14 7",
  gear: "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.100 2.100M16.300 16.300l2.100 2.100M5.600 18.400l2.100-2.100M16.300 7.700l2.100-2.100",
  check: "M5 13l4 4L19 7",
  left: "M15 5l-7 7 7 7",
  right: "M9 5l7 7-7 7",
  eye: "M3 12s3.500-6 9-6 9 6 9 6-3.500 6-9 6-9-6-9-6ZM12 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z",
  fork: "M7 4v16M7 12h6a4 4 0 0 0 4-4V4M4 7l3-3 3 3M14 7l3-3 3 3",
  box: "M4 8h16v12H4zM3 4h18v4H3zM10 12h4",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  end: "M12 5v14M6 13l6 6 6-6",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round">
      <path d={PATHS[name]} />
    </svg>
  );
}
