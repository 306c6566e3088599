// "Copy as curl / Python / JavaScript": the request behind what is shown.

import { useId, useRef } from "react";
import { t } from "../i18n";
import { copyText } from "../ui/files";
import { Icon } from "../ui/Icon";
import { curl, javascript, python } from "./snippets";
import type { Asked } from "./snippets";

export function CopyAs({ asked }: { asked: Asked }) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const copy = (make: (asked: Asked) => string) => () => {
    menu.current?.hidePopover();
    void copyText(make(asked));
  };
  return (
    <>
      <button type="button" className="quiet small" popoverTarget={id}><Icon name="copy" size={15} />{t("copy_as")}</button>
      <div ref={menu} id={id} popover="auto" className="menu">
        <button type="button" onClick={copy(curl)}>curl</button>
        <button type="button" onClick={copy(python)}>Python</button>
        <button type="button" onClick={copy(javascript)}>JavaScript</button>
        <button type="button" onClick={() => { menu.current?.hidePopover(); void copyText(location.href); }}>{t("address")}</button>
      </div>
    </>
  );
}
